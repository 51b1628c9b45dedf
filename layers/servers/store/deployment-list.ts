import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Deployment } from '../rules/deployment.ts';
import type { DeploymentEditor } from '../rules/deployment-store.ts';
import { deploymentKey } from '../../platform/dynamodb/keys.ts';
import { parseDeployment } from './deployment-item.ts';
import { dynamoFault } from '../../platform/dynamodb/faults.ts';

/** When the last deployment of a page was created, and its slug: enough to make its key again. */
const Position = z.tuple([z.int(), z.string().check(z.minLength(1))]);

/** An owner's deployments by the index of owners, a page at a time. */
export const deploymentPages =
  (dynamo: DynamoDBDocumentClient, TableName: string): DeploymentEditor['listByOwner'] =>
  async (ownerId, { limit, after }) => {
    // One more than is asked for, so that the last page is known to be the last. Of large ones come fewer:
    // DynamoDB ends a page at 1 MB.
    const { Items = [], LastEvaluatedKey } = await dynamo
      .send(
        new QueryCommand({
          TableName,
          IndexName: 'by-owner',
          KeyConditionExpression: 'ownerId = :owner',
          ExpressionAttributeValues: { ':owner': ownerId },
          ExclusiveStartKey: startKey(ownerId, after),
          ScanIndexForward: false,
          Limit: limit + 1,
        }),
      )
      .catch(dynamoFault);
    const items = Items.flatMap((item) => parseDeployment(String(item['slug']), item) ?? []);
    const page = items.slice(0, limit);
    const last = items.length > limit || LastEvaluatedKey ? page.at(-1) : undefined;
    return { items: page, ...(last && { next: positionOf(last) }) };
  };

const positionOf = ({ createdAt, slug }: Deployment): string => JSON.stringify([createdAt, slug]);

/** What no page ended with stands for the beginning: the list is the owner's own in any case. */
const startKey = (ownerId: string, after: string | undefined) => {
  const read = z.safeParse(Position, after === undefined ? undefined : parsed(after));
  if (!read.success) return undefined;
  const [createdAt, slug] = read.data;
  return { ...deploymentKey(slug), ownerId, createdAt };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
