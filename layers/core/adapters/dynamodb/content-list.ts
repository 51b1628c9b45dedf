import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { dynamoFault } from './faults.ts';

/** All items of a deployment whose sort key begins so, in the order of their sort keys. */
export const contentItems = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  deploymentId: string,
  prefix: string,
): Promise<readonly unknown[]> => {
  const pages = paginateQuery(
    { client: dynamo },
    {
      TableName,
      KeyConditionExpression: 'pk = :deployment AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':deployment': `DEP#${deploymentId}`, ':prefix': prefix },
      ConsistentRead: true,
    },
  );
  const items: unknown[] = [];
  try {
    for await (const { Items } of pages) items.push(...(Items ?? []));
  } catch (cause) {
    dynamoFault(cause);
  }
  return items;
};
