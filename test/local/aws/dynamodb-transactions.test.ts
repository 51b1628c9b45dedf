import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  ACCOUNTS,
  type Actions,
  ENTRIES,
  put,
  putNew,
  RANKED,
  rejectionOf,
  startBank,
} from '../fixtures/bank.ts';

const bank = await startBank();
afterAll(() => bank.aws.stop());

describe('a transaction', () => {
  test('puts, updates, deletes and checks items of several tables', async () => {
    await bank.store('all-updated', { balance: 1 });
    await bank.store('all-deleted');
    await bank.store('all-checked', { open: true });

    await bank.transact([
      { Put: { TableName: ENTRIES, Item: { pk: 'all', sk: 'put', list: [1, { a: null }] } } },
      {
        Update: {
          TableName: ACCOUNTS,
          Key: { pk: 'all-updated' },
          UpdateExpression: 'SET #b = #b + :ten REMOVE gone',
          ConditionExpression: '#b < :ten',
          ExpressionAttributeNames: { '#b': 'balance' },
          ExpressionAttributeValues: { ':ten': 10 },
        },
      },
      { Delete: { TableName: ACCOUNTS, Key: { pk: 'all-deleted' } } },
      {
        ConditionCheck: {
          TableName: ACCOUNTS,
          Key: { pk: 'all-checked' },
          ConditionExpression: 'attribute_exists(pk)',
        },
      },
    ]);

    const Key = { pk: 'all', sk: 'put' };
    const { Item } = await bank.dynamo.send(new GetCommand({ TableName: ENTRIES, Key }));
    expect(Item).toEqual({ ...Key, list: [1, { a: null }] });
    expect(await bank.stored('all-updated')).toEqual({ pk: 'all-updated', balance: 11 });
    expect(await bank.stored('all-deleted')).toBeUndefined();
    expect(await bank.stored('all-checked')).toEqual({ pk: 'all-checked', open: true });
  });

  test('creates the item that an update does not find', async () => {
    await bank.transact([
      {
        Update: {
          TableName: ACCOUNTS,
          Key: { pk: 'upserted' },
          UpdateExpression: 'ADD balance :one',
          ExpressionAttributeValues: { ':one': 1 },
        },
      },
    ]);

    expect(await bank.stored('upserted')).toEqual({ pk: 'upserted', balance: 1 });
  });

  test('moves its items in the indexes', async () => {
    const inIndex = async () => {
      const query = new QueryCommand({
        TableName: RANKED,
        IndexName: 'by-kind',
        KeyConditionExpression: 'kind = :kind',
        ExpressionAttributeValues: { ':kind': 'moved' },
      });
      return (await bank.dynamo.send(query)).Items?.map(({ pk, rating }) => [pk, rating]);
    };
    const Item = (pk: string, rating: number) => ({ pk, kind: 'moved', rating });
    await bank.transact([
      { Put: { TableName: RANKED, Item: Item('a', 1) } },
      { Put: { TableName: RANKED, Item: Item('b', 2) } },
    ]);
    expect(await inIndex()).toEqual([
      ['a', 1],
      ['b', 2],
    ]);

    await bank.transact([
      { Put: { TableName: RANKED, Item: Item('a', 3) } },
      { Delete: { TableName: RANKED, Key: { pk: 'b' } } },
    ]);
    expect(await inIndex()).toEqual([['a', 3]]);
  });

  test('may consist of a condition check alone', async () => {
    await bank.store('check-alone');
    const check = (pk: string) => ({
      ConditionCheck: {
        TableName: ACCOUNTS,
        Key: { pk },
        ConditionExpression: 'attribute_exists(pk)',
      },
    });

    await expect(bank.transact([check('check-alone')])).resolves.toBeDefined();
    await expect(bank.transact([check('check-none')])).rejects.toMatchObject({
      name: 'TransactionCanceledException',
    });
  });

  test('evaluates its conditions on the items as they were before it', async () => {
    await bank.store('before', { balance: 0 });

    await bank.transact([
      put('before-other', { balance: 1 }),
      {
        Update: {
          TableName: ACCOUNTS,
          Key: { pk: 'before' },
          UpdateExpression: 'SET balance = :one',
          ConditionExpression: 'balance = :zero',
          ExpressionAttributeValues: { ':one': 1, ':zero': 0 },
        },
      },
    ]);

    expect(await bank.stored('before')).toMatchObject({ balance: 1 });
  });
});

describe('a transaction whose condition fails', () => {
  test('writes nothing, and gives a reason for each action in their order', async () => {
    await bank.store('reasons-there', { balance: 5 });

    const error = await rejectionOf(
      bank.transact([
        put('reasons-first'),
        putNew('reasons-there'),
        { Delete: { TableName: ACCOUNTS, Key: { pk: 'reasons-none' } } },
        {
          ConditionCheck: {
            TableName: ACCOUNTS,
            Key: { pk: 'reasons-none-too' },
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
      ]),
    );

    expect(error).toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
        '[None, ConditionalCheckFailed, None, ConditionalCheckFailed]',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      ],
    });
    expect(await bank.stored('reasons-first')).toBeUndefined();
    expect(await bank.stored('reasons-there')).toEqual({ pk: 'reasons-there', balance: 5 });
  });

  test.each([
    ['Put', { Item: { pk: 'old' } }],
    ['Delete', { Key: { pk: 'old' } }],
    ['ConditionCheck', { Key: { pk: 'old' } }],
    [
      'Update',
      {
        Key: { pk: 'old' },
        UpdateExpression: 'SET balance = :one',
        ExpressionAttributeValues: { ':one': 1 },
      },
    ],
  ])('returns the item that a %s asks for, and no other', async (kind, action) => {
    await bank.store('old', { balance: 5, tags: ['a'] });
    const reasonWhenAsking = async (asked: object) => {
      const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
      const sent = { [kind]: { TableName: ACCOUNTS, ...action, ...condition, ...asked } };
      const error = await rejectionOf(bank.transact([sent as Actions[number]]));
      return (error as { CancellationReasons: readonly object[] }).CancellationReasons[0];
    };

    expect(
      await reasonWhenAsking({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ).toMatchObject({
      Code: 'ConditionalCheckFailed',
      Item: { pk: { S: 'old' }, balance: { N: '5' }, tags: { L: [{ S: 'a' }] } },
    });
    expect(
      await reasonWhenAsking({ ReturnValuesOnConditionCheckFailure: 'NONE' }),
    ).not.toHaveProperty('Item');
    expect(await reasonWhenAsking({})).not.toHaveProperty('Item');
  });

  test('has no item to return where there is none', async () => {
    const error = await rejectionOf(
      bank.transact([
        {
          ConditionCheck: {
            TableName: ACCOUNTS,
            Key: { pk: 'never-there' },
            ConditionExpression: 'attribute_exists(pk)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
      ]),
    );

    expect(error).toMatchObject({ CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] });
    expect(error).not.toHaveProperty('CancellationReasons.0.Item');
  });
});

describe('a transaction whose values do not fit the items', () => {
  const update = (UpdateExpression: string, value: unknown) => ({
    Update: {
      TableName: ACCOUNTS,
      Key: { pk: 'misfit' },
      UpdateExpression,
      ExpressionAttributeValues: { ':value': value },
    },
  });
  test.each([
    [
      'adds a number to a text',
      update('SET balance = title + :value', 1),
      'An operand in the update expression has an incorrect data type',
    ],
    [
      'updates a path that is not there',
      update('SET absent.there = :value', 1),
      'The document path provided in the update expression is invalid for update',
    ],
    [
      'reads an attribute that is not there',
      update('SET balance = absent + :value', 1),
      'The provided expression refers to an attribute that does not exist in the item',
    ],
    [
      'puts an item without its key',
      { Put: { TableName: ACCOUNTS, Item: { id: 'x' } } },
      'One or more parameter values were invalid: Missing the key pk in the item',
    ],
    [
      'puts a key of another type',
      { Put: { TableName: ACCOUNTS, Item: { pk: 5 } } },
      'One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N',
    ],
    [
      'deletes by another key',
      { Delete: { TableName: ACCOUNTS, Key: { id: 'x' } } },
      'The provided key element does not match the schema',
    ],
    [
      'puts an index key of another type',
      { Put: { TableName: RANKED, Item: { pk: 'x', kind: 5 } } },
      'One or more parameter values were invalid: Type mismatch for Index Key kind ' +
        'Expected: S Actual: N IndexName: by-kind',
    ],
  ])('is canceled with a validation error if it %s', async (_, action, Message) => {
    await bank.store('misfit', { title: 'text' });

    await expect(bank.transact([put('misfit-other'), action])).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError', Message }],
    });
    expect(await bank.stored('misfit')).toEqual({ pk: 'misfit', title: 'text' });
    expect(await bank.stored('misfit-other')).toBeUndefined();
  });
});

describe('concurrent transactions', () => {
  test('for the same two items have exactly one winner', async () => {
    const claims = Array.from({ length: 40 }, (_, claimant) => {
      const actions = [putNew('claim-a', { claimant }), putNew('claim-b', { claimant })];
      // Half of them in the other order, so that they could wait for each other.
      return bank.transact(claimant % 2 === 0 ? actions : actions.toReversed());
    });

    const outcomes = await Promise.allSettled(claims);

    const winners = outcomes.flatMap(({ status }, claimant) =>
      status === 'fulfilled' ? [claimant] : [],
    );
    expect(winners).toHaveLength(1);
    expect(await bank.stored('claim-a')).toMatchObject({ claimant: winners[0] });
    expect(await bank.stored('claim-b')).toMatchObject({ claimant: winners[0] });
  });

  test('between two accounts, with single writes among them, neither lose nor make money', async () => {
    await bank.store('purse-a', { balance: 100 });
    await bank.store('purse-b', { balance: 100 });
    const move = (from: string, to: string, amount: number) => {
      const change = (pk: string, by: number, condition: object = {}) => ({
        Update: {
          TableName: ACCOUNTS,
          Key: { pk },
          UpdateExpression: 'ADD balance :by',
          ...condition,
          ExpressionAttributeValues: { ':by': by, ...(by < 0 && { ':least': -by }) },
        },
      });
      return bank.transact([
        change(from, -amount, { ConditionExpression: 'balance >= :least' }),
        change(to, amount),
      ]);
    };
    const earn = (pk: string) =>
      bank.dynamo.send(
        new UpdateCommand({
          TableName: ACCOUNTS,
          Key: { pk },
          UpdateExpression: 'ADD balance :one',
          ExpressionAttributeValues: { ':one': 1 },
        }),
      );

    await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) => [
        move('purse-a', 'purse-b', 7 + at),
        earn('purse-a'),
        move('purse-b', 'purse-a', 5 + at),
        earn('purse-b'),
      ]).flat(),
    );

    const balances = [await bank.stored('purse-a'), await bank.stored('purse-b')].map(
      (item) => item?.['balance'] as number,
    );
    expect(balances.every((balance) => balance >= 0)).toBe(true);
    expect(balances.reduce((sum, balance) => sum + balance)).toBe(260);
  });

  test('show a reader all of their items or none', async () => {
    const round = (number: number) =>
      bank.transact(
        ['a', 'b', 'c'].map((sk) => ({
          Put: { TableName: ENTRIES, Item: { pk: 'seen', sk, round: number } },
        })),
      );
    let writing = true;
    const writes = (async () => {
      for (let number = 1; number <= 60; number += 1) await round(number);
      writing = false;
    })();

    const seen: (readonly number[])[] = [];
    while (writing) {
      const { Items = [] } = await bank.dynamo.send(
        new QueryCommand({
          TableName: ENTRIES,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': 'seen' },
        }),
      );
      seen.push(Items.map((item) => item['round'] as number));
    }
    await writes;

    expect(seen.filter((rounds) => ![0, 3].includes(rounds.length))).toEqual([]);
    expect(seen.filter((rounds) => new Set(rounds).size > 1)).toEqual([]);
  });
});

describe('a transaction that a kill -9 interrupts', () => {
  test('is there as a whole or not at all, indexes included', async () => {
    const { aws } = await startBank();
    await aws.aws.close();
    const acknowledged = await writeAndKill(aws.dataFolder);

    const restarted = await startBank(await aws.restart());

    const documents = restarted.dynamo;
    const Key = { pk: 'latest' };
    const { Item } = await documents.send(new GetCommand({ TableName: ACCOUNTS, Key }));
    const ranked = await documents.send(new GetCommand({ TableName: RANKED, Key }));
    const { Items } = await documents.send(
      new QueryCommand({
        TableName: RANKED,
        IndexName: 'by-kind',
        KeyConditionExpression: 'kind = :kind',
        ExpressionAttributeValues: { ':kind': 'number' },
      }),
    );
    expect(Item?.['number']).toBeGreaterThanOrEqual(acknowledged);
    expect(ranked.Item).toEqual({ ...Key, kind: 'number', rating: Item?.['number'] as number });
    expect(Items).toEqual([ranked.Item]);
    await restarted.aws.stop();
  });

  /** Has another process write into the folder, and kills it in the middle. @returns the last number it had acknowledged */
  const writeAndKill = async (folder: string): Promise<number> => {
    const writer = spawn(
      process.execPath,
      ['test/local/fixtures/transaction-writer.ts', folder, ACCOUNTS, RANKED],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let last = 0;
    for await (const line of createInterface({ input: writer.stdout })) {
      last = Number(line);
      if (last === 50) writer.kill('SIGKILL');
    }
    if (writer.signalCode === null) await once(writer, 'exit');
    return last;
  };
});
