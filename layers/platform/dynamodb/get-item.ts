import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemKey, PartitionKey } from './keys.ts';
import { dynamoFault } from './faults.ts';

/** Bytes that DynamoDB takes. */
const MOST = { pk: 2048, sk: 1024 } as const;

/**
 * Strongly consistent. Some keys are of what a stranger sent: no item has one that is too long, and to ask for
 * it is an error.
 *
 * @throws Fault
 */
export const getItem = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  Key: PartitionKey | ItemKey,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const { pk, sk = '' } = { ...Key } as Partial<ItemKey> & PartitionKey;
  if (Buffer.byteLength(pk) > MOST.pk || Buffer.byteLength(sk) > MOST.sk) return undefined;
  const { Item } = await dynamo
    .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    .catch(dynamoFault);
  return Item;
};
