import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestAws, type TestAws } from '../../support/aws.ts';

let aws: TestAws;

beforeAll(async () => {
  aws = await startTestAws();
});
afterAll(() => aws.stop());
afterEach(() => {
  aws.aws.faults.clear();
  aws.aws.calls.reset();
});

describe('calls', () => {
  test('are counted by caller, service and operation, failed ones included', async () => {
    const read = new GetItemCommand({
      TableName: aws.tableName('limits'),
      Key: { pk: { S: 'x' } },
    });
    const missing = new GetItemCommand({ TableName: 'none', Key: { pk: { S: 'x' } } });
    await aws.client(DynamoDBClient, 'router').send(read);
    await aws
      .client(DynamoDBClient, 'router')
      .send(missing)
      .catch(() => undefined);
    await aws.client(DynamoDBClient, 'management').send(read);

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

describe('injected faults', () => {
  const read = () =>
    aws
      .client(DynamoDBClient, 'router')
      .send(new GetItemCommand({ TableName: aws.tableName('limits'), Key: { pk: { S: 'x' } } }));
  const list = () => aws.client(S3Client).send(new ListObjectsV2Command({ Bucket: aws.bucket }));

  test.each([
    ['throttle', 'dynamodb', read, 'ThrottlingException'],
    ['throttle', 's3', list, 'SlowDown'],
    ['fail', 'dynamodb', read, 'InternalServerError'],
    ['fail', 's3', list, 'InternalError'],
    ['deny', 'dynamodb', read, 'AccessDeniedException'],
    ['deny', 's3', list, 'AccessDenied'],
  ] as const)('%s calls of %s', async (kind, service, call, name) => {
    aws.aws.faults.inject({ kind, on: { service } });

    await expect(call()).rejects.toMatchObject({ name });
  });

  test('end the connection', async () => {
    aws.aws.faults.inject({ kind: 'drop', on: { operation: 'GetItem' } });

    await expect(read()).rejects.toThrow('socket hang up');
  });

  test('delay a call, which then succeeds', async () => {
    aws.aws.faults.inject({ kind: 'delay', ms: 50, on: { operation: 'GetItem' } });
    const start = performance.now();

    await read();

    expect(performance.now() - start).toBeGreaterThanOrEqual(49);
  });

  test('meet only the calls they are for', async () => {
    aws.aws.faults.inject({ kind: 'fail', on: { caller: 'management' } });
    aws.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb', operation: 'PutItem' } });

    await expect(read()).resolves.toBeDefined();
  });

  test('are over after so many calls, when ended, and when all are cleared', async () => {
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
