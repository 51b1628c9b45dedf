import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../rules/deployment.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { DeploymentEditor, Deployments } from '../rules/deployment-store.ts';
import { deploymentKey } from '../../platform/dynamodb/keys.ts';
import { parseDeployment } from './deployment-item.ts';
import { getItem } from '../../platform/dynamodb/get-item.ts';
import { queryItems } from '../../platform/dynamodb/query-items.ts';
import { cached } from '../../platform/cache/cache.ts';

/**
 * A change of a deployment holds at the latest this much later.
 * Source: docs/decisions/storage.md, "How soon a change holds".
 */
const KEEP_SECONDS = 15;
/** Shorter, so that a new deployment is there soon for those who were early. */
const KEEP_ABSENCE_SECONDS = 2;
const MAX_KEPT = 1000;

/** The read side. Single deployments are remembered, lists are not. */
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

/** Reads strongly consistent: a late replica would add its lateness to the 15 s. */
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
