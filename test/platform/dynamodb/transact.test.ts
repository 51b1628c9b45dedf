import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { transact } from '../../../layers/platform/dynamodb/transact.ts';
import type { Write } from '../../../layers/platform/dynamodb/writes.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { startStore } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const TRANSACTIONS = { operation: 'TransactWriteItems' };
const TableName = () => store.tableName('users');
const put = (pk: string): Write => ({
  Put: {
    TableName: TableName(),
    Item: { pk },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});
const count = (pk: string): Write => ({
  Update: {
    TableName: TableName(),
    Key: { pk },
    UpdateExpression: 'ADD hits :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
});
const read = async (pk: string) =>
  (await store.instance().send(new GetCommand({ TableName: TableName(), Key: { pk } }))).Item;
const run = (name: string, dynamo: DynamoDBDocumentClient = store.instance()) =>
  transact(dynamo, { one: put(`${name}-1`), other: count(`${name}-2`) });

describe('a transaction', () => {
  test('writes all its items in one call', async () => {
    expect(await run('all')).toEqual(new Set());

    expect(await read('all-1')).toEqual({ pk: 'all-1' });
    expect(await read('all-2')).toEqual({ pk: 'all-2', hits: 1 });
    expect(store.aws.calls.count({ operation: 'TransactWriteItems' })).toBe(1);
  });

  test('writes nothing where a condition does not hold, and names the write that it belongs to', async () => {
    await run('refused');

    expect(await run('refused')).toEqual(new Set(['one']));
    expect(await read('refused-2')).toEqual({ pk: 'refused-2', hits: 1 });
  });

  test('names all writes whose conditions do not hold', async () => {
    await transact(store.instance(), { a: put('both-a'), b: put('both-b') });

    const again = { free: put('both-c'), a: put('both-a'), b: put('both-b') };
    expect(await transact(store.instance(), again)).toEqual(new Set(['a', 'b']));
  });

  test('is done once where its answer was lost on the way', async () => {
    const shaken = losingAnswers(store.instance(), { to: 'TransactWriteItems' });

    expect(await run('lost', shaken)).toEqual(new Set());
    expect(await read('lost-2')).toEqual({ pk: 'lost-2', hits: 1 });
    expect(store.aws.calls.count({ operation: 'TransactWriteItems' })).toBe(2);
  });

  test('is tried again where another one is at work on the same items', async () => {
    store.aws.faults.inject({ kind: 'conflict', on: TRANSACTIONS, times: 5 });

    expect(await run('conflict')).toEqual(new Set());
    expect(await read('conflict-2')).toEqual({ pk: 'conflict-2', hits: 1 });
  });

  test('is reported as a fault where others keep at work on the same items', async () => {
    store.aws.faults.inject({ kind: 'conflict', on: TRANSACTIONS, times: 6 });

    await expect(run('busy')).rejects.toMatchObject({
      neighbour: 'dynamodb',
      message: 'dynamodb: TransactionCanceledException',
    });
    expect(await read('busy-1')).toBeUndefined();
  });

  test('is reported as throttled where a write of it is, though it is the transaction that is canceled', async () => {
    store.aws.faults.inject({ kind: 'throttle', on: TRANSACTIONS, times: 1 });

    await expect(run('throttled')).rejects.toMatchObject({
      neighbour: 'dynamodb',
      message: 'dynamodb: ThrottlingError',
    });
  });

  test.each(['fail', 'throttle', 'drop'] as const)(
    'is reported as a fault when the store is down (%s)',
    async (kind) => {
      store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });

      await expect(run('down')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    },
  );

  test('is reported as a fault where a value cannot be written', async () => {
    const empty = { Put: { TableName: TableName(), Item: { pk: '' } } };

    await expect(transact(store.instance(), { empty })).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });
});
