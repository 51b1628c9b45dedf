import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../../domain/deployment.ts';
import type { Clock, DeploymentEditor, Deployments } from '../../ports.ts';
import { deploymentFrom, deploymentKey } from './deployment-item.ts';
import { dynamoFault } from './faults.ts';
import { queryItems } from './query-items.ts';
import { recalling } from './recalling.ts';

/** A change of a deployment holds at the latest this much later. Source: D38; architecture, "Data". */
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
  const recall = recalling<Deployment | undefined>(clock, {
    keepSeconds: (deployment) => (deployment ? KEEP_SECONDS : KEEP_ABSENCE_SECONDS),
    weigh: () => 1,
    maxWeight: MAX_KEPT,
  });
  return {
    find: (slug) => recall(slug, () => read(slug)),
    knows: (slug) => recall.knows(slug),
    listByOwner: (ownerId) => listByOwner(dynamo, TableName, ownerId),
  };
};

/** Reads strongly consistent: a late replica would add its lateness to the 15 s. */
export const deploymentReader =
  (dynamo: DynamoDBDocumentClient, TableName: string): DeploymentEditor['read'] =>
  async (slug): Promise<Deployment | undefined> => {
    const Key = deploymentKey(slug);
    const { Item } = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    return deploymentFrom(slug, Item);
  };

const listByOwner = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  ownerId: string,
): Promise<readonly Deployment[]> => {
  const items = await queryItems(dynamo, {
    TableName,
    IndexName: 'by-owner',
    KeyConditionExpression: 'owner_id = :owner',
    ExpressionAttributeValues: { ':owner': ownerId },
    ScanIndexForward: false,
  });
  return items.flatMap((item) => deploymentFrom(String(item['slug']), item) ?? []);
};
