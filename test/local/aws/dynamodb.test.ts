import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tables } from '../../../lambdas/storage-manifest.ts';
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';
import { rejectionOf } from '../fixtures/bank.ts';

let aws: TestAws;
let documents: DynamoDBDocumentClient;
let TableName: string;
let content: string;

beforeAll(async () => {
  aws = await startTestAws();
  documents = DynamoDBDocumentClient.from(aws.client(DynamoDBClient));
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
    for (const createdAt of [5, 10, 7]) {
      const Item = { pk: `SLUG#${createdAt}`, ownerId: 'owner', createdAt };
      await documents.send(new PutCommand({ TableName: deployments, Item }));
    }

    const { Items } = await documents.send(
      new QueryCommand({
        TableName: deployments,
        IndexName: 'by-owner',
        KeyConditionExpression: 'ownerId = :owner',
        ExpressionAttributeValues: { ':owner': 'owner' },
        ScanIndexForward: false,
      }),
    );

    expect(Items?.map(({ createdAt }) => createdAt as number)).toEqual([10, 7, 5]);
  });

  test('are read by a scan', async () => {
    const events = aws.tableName('security-events');
    const Item = { pk: 'SUBJECT#1', sk: '1' };
    await documents.send(new PutCommand({ TableName: events, Item }));

    const scan = await documents.send(new ScanCommand({ TableName: events, ConsistentRead: true }));

    expect(scan.Items).toEqual([Item]);
  });
});

describe('tables of the embedded DynamoDB', () => {
  test('may be created twice, and keep their items', async () => {
    const Item = { pk: 'kept' };
    await documents.send(new PutCommand({ TableName, Item }));

    await aws.aws.createTables(tables, aws.prefix);

    expect((await documents.send(new GetCommand({ TableName, Key: Item }))).Item).toEqual(Item);
  });

  test.each([
    ['keys', { partitionKey: 'other', indexes: [] }],
    ['sort key', { partitionKey: 'pk', sortKey: 'sk', indexes: [] }],
    [
      'indexes',
      {
        partitionKey: 'pk',
        indexes: [
          { name: 'by-a', partitionKey: 'a', sortKey: { name: 'b', type: 'string' as const } },
        ],
      },
    ],
  ])('are not created again with other %s', async (_, other) => {
    await expect(
      aws.aws.createTables({ limits: { backup: 'none', ...other } }, aws.prefix),
    ).rejects.toThrow('the table test-limits was made with other keys or indexes');
  });
});

describe('the time to live of the embedded DynamoDB', () => {
  test('deletes items that have expired and no others', async () => {
    const now = 1_000_000;
    const put = (pk: string, deleteAfter: unknown) =>
      documents.send(new PutCommand({ TableName, Item: { pk, deleteAfter } }));
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

describe('a single write of the embedded DynamoDB whose condition fails', () => {
  const Key = { pk: 'single' };
  const conditional = () => ({ TableName, ConditionExpression: 'attribute_not_exists(pk)' });
  test.each([
    ['PutItem', (asked: object) => new PutCommand({ ...conditional(), Item: Key, ...asked })],
    ['DeleteItem', (asked: object) => new DeleteCommand({ ...conditional(), Key, ...asked })],
    [
      'UpdateItem',
      (asked: object) =>
        new UpdateCommand({
          ...conditional(),
          Key,
          UpdateExpression: 'REMOVE balance',
          ...asked,
        }),
    ],
  ])('returns the item to a %s that asks for it, and to no other', async (_, command) => {
    await documents.send(new PutCommand({ TableName, Item: { ...Key, balance: 5 } }));
    // Commands of several kinds in one table: `send` has an overload for each, not for their union.
    const failing = (asked: object) => rejectionOf(documents.send(command(asked) as PutCommand));

    const told = await failing({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    const untold = await failing({ ReturnValuesOnConditionCheckFailure: 'NONE' });

    expect(told).toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item: { pk: { S: 'single' }, balance: { N: '5' } },
    });
    expect(untold).toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(untold).not.toHaveProperty('Item.pk');
    expect(await failing({})).not.toHaveProperty('Item.pk');
    expect((await documents.send(new GetCommand({ TableName, Key }))).Item).toEqual({
      pk: 'single',
      balance: 5,
    });
  });

  test('has no item to return where there is none', async () => {
    const error = await rejectionOf(
      documents.send(
        new DeleteCommand({
          TableName,
          Key: { pk: 'never-there' },
          ConditionExpression: 'attribute_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );

    expect(error).toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(error).not.toHaveProperty('Item.pk');
  });

  test('is refused if it asks for anything else', async () => {
    await expect(
      documents.send(
        new PutCommand({
          TableName,
          Item: Key,
          ReturnValuesOnConditionCheckFailure: 'ALL_NEW' as never,
        }),
      ),
    ).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

describe('the embedded DynamoDB', () => {
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
      'a form of request before expressions',
      () => new PutCommand({ TableName, Item: Key, Expected: { pk: { Exists: false } } }),
      'ValidationException',
    ],
    [
      'to estimate what a request consumes',
      () => new GetCommand({ TableName, Key, ReturnConsumedCapacity: 'TOTAL' }),
      'ValidationException',
    ],
    [
      'a consistent scan of an index',
      () =>
        new ScanCommand({
          TableName: aws.tableName('deployments'),
          IndexName: 'by-owner',
          ConsistentRead: true,
        }),
      'ValidationException',
    ],
    ['to list tables', () => new ListTablesCommand({}), 'UnknownOperationException'],
    [
      'a transaction that reads',
      () => new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key } }] }),
      'UnknownOperationException',
    ],
  ])('refuses %s', async (_, command, name) => {
    // Commands of several kinds in one table: `send` has an overload for each, not for their union.
    await expect(documents.send(command() as GetCommand)).rejects.toMatchObject({ name });
  });
});

describe('items that are loaded past the endpoint', () => {
  const numbers = [3, 1, 2];
  const table = () => aws.tableName('deployments');

  test('are found by their keys, by an index in its order, and changed as those that were put', async () => {
    await aws.aws.loadItems(
      table(),
      numbers.map((number) => ({
        pk: { S: `loaded-${number}` },
        ownerId: { S: 'loader' },
        createdAt: { N: String(number) },
        bytes: { B: Buffer.from('any').toString('base64') },
      })),
    );
    const own = { ownerId: 'loader', createdAt: 4 };
    await documents.send(new PutCommand({ TableName: table(), Item: { pk: 'put-4', ...own } }));
    const Key = { pk: 'loaded-2' };
    const { Item } = await documents.send(new GetCommand({ TableName: table(), Key }));
    await documents.send(new DeleteCommand({ TableName: table(), Key }));
    const { Items = [] } = await documents.send(
      new QueryCommand({
        TableName: table(),
        IndexName: 'by-owner',
        KeyConditionExpression: 'ownerId = :owner',
        ExpressionAttributeValues: { ':owner': 'loader' },
      }),
    );

    const bytes = new Uint8Array(Buffer.from('any'));
    expect(Item).toEqual({ pk: 'loaded-2', ownerId: 'loader', createdAt: 2, bytes });
    expect(Items.map(({ pk }) => pk)).toEqual(['loaded-1', 'loaded-3', 'put-4']);
  });

  test('need a table', async () => {
    await expect(aws.aws.loadItems('nowhere', [])).rejects.toThrow('there is no table nowhere');
  });
});
