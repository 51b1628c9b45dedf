import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tables } from '../../../lambdas/manifest.ts';
import { startTestAws, type TestAws } from '../../support/aws.ts';

let aws: TestAws;
let dynamo: DynamoDBClient;
let documents: DynamoDBDocumentClient;
let TableName: string;
let content: string;

beforeAll(async () => {
  aws = await startTestAws();
  dynamo = aws.client(DynamoDBClient);
  documents = DynamoDBDocumentClient.from(dynamo);
  TableName = aws.tableName('limits');
  content = aws.tableName('deployment-content');
});
afterAll(() => aws.stop());

describe('items of the embedded DynamoDB', () => {
  test('come back as they were put', async () => {
    const Item = { pk: 'put', text: 'Grüße 🎉', number: 1.5, list: [true, null, { a: 'b' }] };

    await documents.send(new PutCommand({ TableName, Item }));

    const Key = { pk: 'put' };
    expect((await documents.send(new GetCommand({ TableName, Key }))).Item).toEqual(Item);
  });

  test('are gone once deleted', async () => {
    const Key = { pk: 'deleted' };
    await documents.send(new PutCommand({ TableName, Item: Key }));

    await documents.send(new DeleteCommand({ TableName, Key }));

    expect((await documents.send(new GetCommand({ TableName, Key }))).Item).toBeUndefined();
  });

  test('are counted up by concurrent updates without losing one', async () => {
    const count = new UpdateCommand({
      TableName,
      Key: { pk: 'counter' },
      UpdateExpression: 'ADD used :one',
      ConditionExpression: 'attribute_not_exists(used) OR used < :limit',
      ExpressionAttributeValues: { ':one': 1, ':limit': 20 },
    });

    const outcomes = await Promise.allSettled(
      Array.from({ length: 25 }, () => documents.send(count)),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'ConditionalCheckFailedException' },
    });
  });

  test('are queried by partition and prefix, page by page', async () => {
    const puts = ['V#1#INDEX', 'V#1#SPEC', 'V#2#INDEX', 'RES#ä'].map((sk) => ({
      PutRequest: { Item: { pk: 'DEP#1', sk } },
    }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [content]: puts } }));
    const query = (ExclusiveStartKey?: Record<string, string>) =>
      documents.send(
        new QueryCommand({
          TableName: content,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
          ExpressionAttributeValues: { ':pk': 'DEP#1', ':sk': 'V#' },
          Limit: 2,
          ...(ExclusiveStartKey && { ExclusiveStartKey }),
        }),
      );

    const first = await query();
    const second = await query(first.LastEvaluatedKey);

    expect(first.Items?.map(({ sk }) => sk as string)).toEqual(['V#1#INDEX', 'V#1#SPEC']);
    expect(second.Items?.map(({ sk }) => sk as string)).toEqual(['V#2#INDEX']);
  });

  test('are found by an index, newest first', async () => {
    const deployments = aws.tableName('deployments');
    for (const created_at of [5, 10, 7]) {
      const Item = { pk: `SLUG#${created_at}`, owner_id: 'owner', created_at };
      await documents.send(new PutCommand({ TableName: deployments, Item }));
    }

    const { Items } = await documents.send(
      new QueryCommand({
        TableName: deployments,
        IndexName: 'by-owner',
        KeyConditionExpression: 'owner_id = :owner',
        ExpressionAttributeValues: { ':owner': 'owner' },
        ScanIndexForward: false,
      }),
    );

    expect(Items?.map(({ created_at }) => created_at as number)).toEqual([10, 7, 5]);
  });

  test('are read in a batch and by a scan', async () => {
    const events = aws.tableName('security-events');
    const Item = { pk: 'SUBJECT#1', sk: '1' };
    await documents.send(new PutCommand({ TableName: events, Item }));

    const batch = await documents.send(
      new BatchGetCommand({ RequestItems: { [events]: { Keys: [Item] } } }),
    );
    const scan = await documents.send(new ScanCommand({ TableName: events }));

    expect(batch.Responses?.[events]).toEqual([Item]);
    expect(scan.Items).toEqual([Item]);
  });
});

describe('tables of the embedded DynamoDB', () => {
  test('are those of the manifest, with their time to live', async () => {
    const { TableNames } = await dynamo.send(new ListTablesCommand({}));
    const limits = await dynamo.send(new DescribeTimeToLiveCommand({ TableName }));
    const deployments = await dynamo.send(
      new DescribeTimeToLiveCommand({ TableName: aws.tableName('deployments') }),
    );

    expect(TableNames).toEqual(
      Object.keys(tables)
        .map((name) => `test-${name}`)
        .sort(),
    );
    expect(limits.TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'expires_at',
    });
    expect(deployments.TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'DISABLED' });
  });

  test('may be created twice by the start', async () => {
    await aws.aws.createTables(tables, aws.prefix);

    const described = await dynamo.send(new DescribeTableCommand({ TableName }));
    expect(described.Table?.TableStatus).toBe('ACTIVE');
  });

  test('are created and deleted by the SDK, time to live included', async () => {
    const table = { TableName: 'made-by-sdk' };
    const create = new CreateTableCommand({
      ...table,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    });
    const expire = (Enabled: boolean) =>
      new UpdateTimeToLiveCommand({
        ...table,
        TimeToLiveSpecification: { Enabled, AttributeName: 'dies_at' },
      });
    await dynamo.send(create);
    await dynamo.send(expire(true));
    await expect(dynamo.send(expire(true))).rejects.toMatchObject({ name: 'ValidationException' });

    await dynamo.send(new DeleteTableCommand(table));

    await expect(dynamo.send(new DescribeTableCommand(table))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await expect(dynamo.send(expire(false))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});

describe('the sweep', () => {
  test('deletes what has expired and nothing else', async () => {
    const now = 1_000_000;
    const put = (pk: string, expires_at: unknown) =>
      documents.send(new PutCommand({ TableName, Item: { pk, expires_at } }));
    await Promise.all([
      put('sweep-past', now - 1),
      put('sweep-now', now),
      put('sweep-future', now + 1),
      put('sweep-text', String(now - 1)),
      put('sweep-none', undefined),
    ]);

    expect(await aws.aws.sweep(now)).toBe(2);

    const { Items } = await documents.send(
      new ScanCommand({
        TableName,
        FilterExpression: 'begins_with(pk, :prefix)',
        ExpressionAttributeValues: { ':prefix': 'sweep-' },
      }),
    );
    expect(Items?.map(({ pk }) => pk as string).sort()).toEqual([
      'sweep-future',
      'sweep-none',
      'sweep-text',
    ]);
  });
});

describe('the embedded DynamoDB refuses', () => {
  const Key = { pk: 'x' };
  test.each([
    [
      'an unknown table',
      () => new GetCommand({ TableName: 'none', Key }),
      'ResourceNotFoundException',
    ],
    ['a wrong key', () => new GetCommand({ TableName, Key: { id: 'x' } }), 'ValidationException'],
    [
      'a wrong expression',
      () => new UpdateCommand({ TableName, Key, UpdateExpression: 'SET' }),
      'ValidationException',
    ],
    [
      'a failed condition',
      () =>
        new DeleteCommand({ TableName, Key, ConditionExpression: 'attribute_exists(never_there)' }),
      'ConditionalCheckFailedException',
    ],
    [
      'an item over 400 KB',
      () => new PutCommand({ TableName, Item: { ...Key, text: 'x'.repeat(410_000) } }),
      'ValidationException',
    ],
    [
      'the item of a failed condition, which it could not return',
      () =>
        new PutCommand({
          TableName,
          Item: Key,
          ConditionExpression: 'attribute_exists(never_there)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      'ValidationException',
    ],
    [
      'a transaction that writes',
      () => new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: Key } }] }),
      'UnknownOperationException',
    ],
    [
      'a transaction that reads',
      () => new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key } }] }),
      'UnknownOperationException',
    ],
  ])('%s', async (_, command, name) => {
    // Commands of several kinds in one table: `send` has an overload for each, not for their union.
    await expect(documents.send(command() as GetCommand)).rejects.toMatchObject({ name });
  });
});
