import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { startTestAws } from '../../support/aws/aws.ts';

const aws = await startTestAws();
afterAll(() => aws.stop());
afterEach(() => {
  aws.aws.faults.clear();
  aws.aws.calls.reset();
});

describe('calls of the embedded AWS', () => {
  test('are counted by caller, service and operation, failed ones included', async () => {
    const read = new GetItemCommand({
      TableName: aws.tableName('limits'),
      Key: { pk: { S: 'USAGE#x' } },
    });
    const missing = new GetItemCommand({ TableName: 'none', Key: { pk: { S: 'USAGE#x' } } });
    await aws.client(DynamoDBClient, 'router').send(read);
    await aws
      .client(DynamoDBClient, 'router')
      .send(missing)
      .catch(() => undefined);
    await aws.client(DynamoDBClient, 'management').send(read);

    expect(aws.aws.takeDenials()).toHaveLength(1);
    const { calls } = aws.aws;
    expect(calls.count()).toBe(3);
    expect(calls.count({ caller: 'router' })).toBe(2);
    expect(calls.count({ caller: 'management', service: 'dynamodb', operation: 'GetItem' })).toBe(
      1,
    );
    expect(calls.count({ service: 's3' })).toBe(0);
    expect(calls.list()).toContainEqual({
      caller: 'router',
      service: 'dynamodb',
      operation: 'GetItem',
      times: 2,
    });

    calls.reset();
    expect(calls.count()).toBe(0);
  });
});

describe('an injected fault', () => {
  const read = () =>
    aws
      .client(DynamoDBClient, 'router')
      .send(
        new GetItemCommand({ TableName: aws.tableName('limits'), Key: { pk: { S: 'USAGE#x' } } }),
      );
  const list = () => aws.client(S3Client).send(new ListObjectsV2Command({ Bucket: aws.bucket }));

  const Item = (pk: string) => ({ pk: { S: pk } });
  const write = () =>
    aws
      .client(DynamoDBClient)
      .send(new PutItemCommand({ TableName: aws.tableName('limits'), Item: Item('x') }));
  const transact = () =>
    aws.client(DynamoDBClient).send(
      new TransactWriteItemsCommand({
        TransactItems: ['x', 'y'].map((pk) => ({
          Put: { TableName: aws.tableName('limits'), Item: Item(pk) },
        })),
      }),
    );

  test.each([
    ['throttle', 'dynamodb', read, 'ThrottlingException'],
    ['throttle', 's3', list, 'SlowDown'],
    ['fail', 'dynamodb', read, 'InternalServerError'],
    ['fail', 's3', list, 'InternalError'],
    ['deny', 'dynamodb', read, 'AccessDeniedException'],
    ['deny', 's3', list, 'AccessDenied'],
  ] as const)(
    'of the kind %s ends calls of %s with the error of AWS',
    async (kind, service, call, name) => {
      aws.aws.faults.inject({ kind, on: { service } });

      await expect(call()).rejects.toMatchObject({ name });
    },
  );

  test('of the kind drop ends the connection', async () => {
    aws.aws.faults.inject({ kind: 'drop', on: { operation: 'GetItem' } });

    await expect(read()).rejects.toThrow('socket hang up');
  });

  test('of the kind delay delays a call, which then succeeds', async () => {
    aws.aws.faults.inject({ kind: 'delay', ms: 50, on: { operation: 'GetItem' } });
    const start = performance.now();

    await read();

    expect(performance.now() - start).toBeGreaterThanOrEqual(49);
  });

  test('of the kind conflict ends a single write', async () => {
    aws.aws.faults.inject({ kind: 'conflict', on: {}, times: 1 });

    await expect(write()).rejects.toMatchObject({ name: 'TransactionConflictException' });
    await expect(write()).resolves.toBeDefined();
  });

  test('of the kind conflict cancels a transaction, with a reason for its first action', async () => {
    aws.aws.faults.inject({ kind: 'conflict', on: {}, times: 1 });

    await expect(transact()).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict, None]',
      CancellationReasons: [
        { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
        { Code: 'None' },
      ],
    });
    await expect(transact()).resolves.toBeDefined();
  });

  test('of the kind conflict does nothing to reads, nor to other services', async () => {
    aws.aws.faults.inject({ kind: 'conflict', on: {} });

    await expect(read()).resolves.toBeDefined();
    await expect(list()).resolves.toBeDefined();
  });

  test('meets only the calls it is for', async () => {
    aws.aws.faults.inject({ kind: 'fail', on: { caller: 'management' } });
    aws.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb', operation: 'PutItem' } });

    await expect(read()).resolves.toBeDefined();
  });

  test('is over after so many calls, when it is ended, and when all are cleared', async () => {
    aws.aws.faults.inject({ kind: 'fail', on: {}, times: 2 });
    await expect(read()).rejects.toThrow();
    await expect(read()).rejects.toThrow();
    await expect(read()).resolves.toBeDefined();

    const end = aws.aws.faults.inject({ kind: 'fail', on: {} });
    await expect(read()).rejects.toThrow();
    end();
    await expect(read()).resolves.toBeDefined();

    aws.aws.faults.inject({ kind: 'fail', on: {} });
    aws.aws.faults.clear();
    await expect(read()).resolves.toBeDefined();
  });
});
