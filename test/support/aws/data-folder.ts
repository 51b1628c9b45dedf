import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { buckets, tables } from '../../../lambdas/storage-manifest.ts';
import { dynamoClient } from '../../../layers/platform/dynamodb/client.ts';
import { deploymentReader } from '../../../layers/deployments/store/deployments.ts';
import { dynamoPrompts } from '../../../layers/contents/store/prompts.ts';
import { dynamoResources } from '../../../layers/contents/store/resources.ts';
import type { Prompt, Resource } from '../../../layers/contents/rules/contents.ts';
import { type EmbeddedAws, startEmbeddedAws } from '../../../local/aws/index.ts';
import { PLENTY } from './dynamodb-fixtures.ts';
import { connectionOf } from './aws.ts';

/** As the local run names its tables and its bucket. */
const PREFIX = 'hosted-mcp-';
const BUCKET = `${PREFIX}descriptions`;

export interface Content {
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}

/** Gives a published deployment resources and prompts. The service must not run on the folder. */
export const seed = (dataFolder: string, slug: string, content: Content): Promise<void> =>
  opened(dataFolder, (aws) => seedRunning(aws, slug, content));

/** The same while the service runs; what it has looked up already, it may keep for a while. */
export const seedRunning = async (
  aws: EmbeddedAws,
  slug: string,
  content: Content,
): Promise<void> => {
  const dynamo = dynamoClient(connectionOf(aws, 'test'));
  const tables = {
    content: `${PREFIX}deployment-content`,
    deployments: `${PREFIX}deployments`,
  };
  try {
    const deployment = await deploymentReader(dynamo, tables.deployments)(slug);
    if (!deployment) throw new Error(`${slug} is not published`);
    const resources = dynamoResources(dynamo, tables);
    for (const resource of content.resources) {
      await resources.create(deployment, resource, PLENTY);
    }
    const prompts = dynamoPrompts(dynamo, tables);
    for (const prompt of content.prompts) await prompts.create(deployment, prompt, PLENTY);
  } finally {
    dynamo.destroy();
  }
};

/** How many items and files of deployments are stored. The service must not run on the folder. */
export const countStoredIn = (dataFolder: string): Promise<StoredCount> =>
  opened(dataFolder, countStored);

export interface StoredCount {
  readonly deployments: number;
  readonly content: number;
  readonly files: number;
}

export const NOTHING_STORED: StoredCount = { deployments: 0, content: 0, files: 0 };

/** How many items and files of deployments a running service has stored. */
export const countStored = async (aws: EmbeddedAws): Promise<StoredCount> => {
  const connection = connectionOf(aws, 'test');
  const dynamo = new DynamoDBClient(connection);
  const s3 = new S3Client({ ...connection, forcePathStyle: true });
  const count = async (name: keyof typeof tables) =>
    (await dynamo.send(new ScanCommand({ TableName: `${PREFIX}${name}` }))).Count ?? 0;
  try {
    return {
      deployments: await count('deployments'),
      content: await count('deployment-content'),
      files: (await s3.send(new ListObjectsV2Command({ Bucket: BUCKET }))).KeyCount ?? 0,
    };
  } finally {
    dynamo.destroy();
    s3.destroy();
  }
};

const opened = async <Result>(
  dataFolder: string,
  use: (aws: EmbeddedAws) => Promise<Result>,
): Promise<Result> => {
  const aws = await startEmbeddedAws({ dataFolder });
  try {
    await aws.createTables(tables, PREFIX);
    await aws.createBuckets(buckets, PREFIX);
    return await use(aws);
  } finally {
    await aws.close();
  }
};
