import * as z from 'zod/mini';
import { deploymentKey } from '../../platform/dynamodb/keys.ts';
import { getItem, parseItem, queryItems, queryPage } from '../../platform/dynamodb/items.ts';
import { storedOf } from '../../platform/rules/shape.ts';
import { Deployment } from '../rules/deployment.ts';
import { type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/system/clock.ts';
import type { DeploymentEditor, Deployments } from './deployment-store.ts';
import { cached } from '../../platform/cache/cache.ts';
import { jsonOrUndefined, parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Stored as JSON text: no query reads parts of it, and fixed values of overrides may have any form. */
const Json = z.pipe(
  z.string(),
  z.transform((text, context): unknown => {
    try {
      return parsedJson(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'is not JSON', input: '' });
      return z.NEVER;
    }
  }),
);

/** `authMethod` is stored as `mcpAuthMethod`, as the interface specification has it, `publication` as JSON text. */
const Item = z.pipe(
  z.pipe(
    z.looseObject({ mcpAuthMethod: z.unknown(), publication: Json }),
    z.transform(({ mcpAuthMethod: authMethod, ...item }): unknown => ({ ...item, authMethod })),
  ),
  storedOf(Deployment),
);

/** @throws Fault if the item is malformed */
export const parseDeployment = (slug: string, item: unknown): Deployment | undefined =>
  item === undefined ? undefined : parseItem(Item, item, `deployment ${slug}`);

export const deploymentItem = ({ authMethod, publication, ...deployment }: Deployment) => ({
  ...deploymentKey(deployment.slug),
  ...deployment,
  mcpAuthMethod: authMethod,
  publication: JSON.stringify(publication),
});

/**
 * A change is effective after this time at the latest. Source: docs/decisions/storage.md, "When a change takes effect".
 */
const KEEP_SECONDS = 15;
/** Shorter, so that clients which come too early find a new deployment soon. */
const KEEP_ABSENCE_SECONDS = 2;
const MAX_KEPT = 1000;

/** Caches single deployments, not lists. */
export const dynamoDeployments = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  clock: Clock,
): Deployments => {
  const read = deploymentReader(dynamo, TableName);
  const recall = cached<Deployment | undefined>(clock, {
    keepSeconds: (deployment) => (deployment ? KEEP_SECONDS : KEEP_ABSENCE_SECONDS),
    weigh: () => 1,
    maxWeight: MAX_KEPT,
  });
  return {
    find: (slug) => recall(slug, () => read(slug)),
    findAgain: (slug) => recall.again(slug, () => read(slug)),
    knows: (slug) => recall.knows(slug),
    listByOwner: (ownerId) => listByOwner(dynamo, TableName, ownerId),
  };
};

export const dynamoDeploymentIds = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  find: async (slug: string): Promise<string | undefined> => {
    const id = (await getItem(dynamo, TableName, deploymentKey(slug)))?.['id'];
    return typeof id === 'string' ? id : undefined;
  },
});

export type DeploymentIds = ReturnType<typeof dynamoDeploymentIds>;

/** Strongly consistent: the lag of a replica would add to the 15 s of the cache. */
export const deploymentReader =
  (dynamo: DynamoDBDocumentClient, TableName: string): DeploymentEditor['read'] =>
  async (slug): Promise<Deployment | undefined> => {
    return parseDeployment(slug, await getItem(dynamo, TableName, deploymentKey(slug)));
  };

const listByOwner = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  ownerId: string,
): Promise<readonly Deployment[]> => {
  const items = await queryItems(dynamo, {
    TableName,
    IndexName: 'by-owner',
    KeyConditionExpression: 'ownerId = :owner',
    ExpressionAttributeValues: { ':owner': ownerId },
    ScanIndexForward: false,
  });
  return items.flatMap((item) => parseDeployment(String(item['slug']), item) ?? []);
};

/** Position in a list: creation and slug of a page's last deployment, which its key is made of. */
const Position = z.tuple([z.int(), z.string().check(z.minLength(1))]);

export const deploymentPages =
  (dynamo: DynamoDBDocumentClient, TableName: string): DeploymentEditor['listByOwner'] =>
  async (ownerId, { limit, after }) => {
    // One more than the limit tells whether this is the last page. DynamoDB ends a page at 1 MB, so large deployments
    // may come fewer at a time.
    const { Items = [], LastEvaluatedKey } = await queryPage(dynamo, {
      TableName,
      IndexName: 'by-owner',
      KeyConditionExpression: 'ownerId = :owner',
      ExpressionAttributeValues: { ':owner': ownerId },
      ExclusiveStartKey: startKey(ownerId, after),
      ScanIndexForward: false,
      Limit: limit + 1,
    });
    const items = Items.flatMap((item) => parseDeployment(String(item['slug']), item) ?? []);
    const page = items.slice(0, limit);
    const last = items.length > limit || LastEvaluatedKey ? page.at(-1) : undefined;
    return { items: page, ...(last && { next: positionOf(last) }) };
  };

const positionOf = ({ createdAt, slug }: Deployment): string => JSON.stringify([createdAt, slug]);

/** An invalid position means the beginning, which is harmless: the list holds only the owner's own. */
const startKey = (ownerId: string, after: string | undefined) => {
  const read = z.safeParse(Position, after === undefined ? undefined : jsonOrUndefined(after));
  if (!read.success) return undefined;
  const [createdAt, slug] = read.data;
  return { ...deploymentKey(slug), ownerId, createdAt };
};
