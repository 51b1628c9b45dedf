import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { queryItems } from '../../../layers/platform/dynamodb/items.ts';
import { removePartition } from '../../../layers/platform/dynamodb/remove-partition.ts';
import { startStore, type Store } from '../../support/aws/dynamodb-fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());

const partition = async (pk: string) => {
  const TableName = store.tableName('deployment-content');
  const items = Array.from({ length: 30 }, (_, index) => ({ pk, sk: `${index}` }));
  await Promise.all(
    items.map((Item) => store.instance().send(new PutCommand({ TableName, Item }))),
  );
  return {
    TableName,
    left: () =>
      queryItems(store.instance(), {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
      }),
  };
};

describe('a partition', () => {
  test('is removed as a whole, however little of it DynamoDB takes at once', async () => {
    const { TableName, left } = await partition('slow');
    const end = store.aws.slowBatches();
    await removePartition(store.instance(), TableName, { pk: 'slow' });
    end();
    expect(await left()).toEqual([]);
  });

  test('is removed in batches', async () => {
    const { TableName, left } = await partition('quick');
    store.aws.calls.reset();
    await removePartition(store.instance(), TableName, { pk: 'quick' });
    expect(await left()).toEqual([]);
    expect(store.aws.calls.count({ operation: 'BatchWriteItem' })).toBe(2);
  });
});
