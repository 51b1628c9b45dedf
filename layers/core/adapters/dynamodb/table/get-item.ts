import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemKey, PartitionKey } from '../keys.ts';
import { dynamoFault } from './faults.ts';

/** Strongly consistent. @throws Fault */
export const getItem = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  Key: PartitionKey | ItemKey,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const { Item } = await dynamo
    .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    .catch(dynamoFault);
  return Item;
};
