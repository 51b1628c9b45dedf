import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Fault } from '../rules/fault.ts';
import type { ItemKey, PartitionKey } from './keys.ts';
import { dynamoFault, parseItem, queryItems } from './items.ts';
import { pauseAfter } from './writes.ts';

const MAX_BATCH = 25;

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

const Key = z.object({ pk: z.string(), sk: z.string() }) satisfies z.ZodMiniType<ItemKey>;

/** Removes all items of a partition. Repeatable. @throws Fault */
export const removePartition = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  { pk }: PartitionKey,
): Promise<void> => {
  const items = await queryItems(dynamo, {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ProjectionExpression: 'pk, sk',
    ConsistentRead: true,
  });
  const keys = items.map((item) => parseItem(Key, item, 'a key'));
  for (let at = 0; at < keys.length; at += MAX_BATCH) {
    await removeBatch(dynamo, TableName, keys.slice(at, at + MAX_BATCH));
  }
};

/**
 * A partition takes a thousand units a second, and hands back what is more. Gives up only when it takes nothing for a
 * while. Source: Amazon DynamoDB API Reference, "BatchWriteItem", `UnprocessedItems`.
 */
const removeBatch = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keys: readonly ItemKey[],
): Promise<void> => {
  let left: Requests = keys.map((one) => ({ DeleteRequest: { Key: one } }));
  let fruitless = 0;
  for (;;) {
    const { UnprocessedItems } = await dynamo
      .send(new BatchWriteCommand({ RequestItems: { [TableName]: left } }))
      .catch(dynamoFault);
    const rest = UnprocessedItems?.[TableName] ?? [];
    if (rest.length === 0) return;
    fruitless = rest.length < left.length ? 0 : fruitless + 1;
    left = rest;
    if (!(await pauseAfter(fruitless))) {
      throw new Fault('dynamodb', 'items could not be removed');
    }
  }
};
