import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryItems } from './query-items.ts';

/** All items of a deployment whose sort key begins so, in the order of their sort keys. */
export const contentItems = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  deploymentId: string,
  prefix: string,
): Promise<readonly unknown[]> =>
  queryItems(dynamo, {
    TableName,
    KeyConditionExpression: 'pk = :deployment AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':deployment': `DEP#${deploymentId}`, ':prefix': prefix },
    ConsistentRead: true,
  });
