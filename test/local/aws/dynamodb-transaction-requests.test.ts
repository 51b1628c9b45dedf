import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { ACCOUNTS, type Actions, put, putNew, rejectionOf, startBank } from '../fixtures/bank.ts';

const bank = await startBank();
afterAll(() => bank.aws.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a transaction', () => {
  const Key = { pk: 'refused' };
  const check = { ConditionExpression: 'attribute_not_exists(pk)' };
  const tooMany = Array.from({ length: 101 }, (_, at) => put(`refused-${at}`));
  const twice = 'Transaction request cannot include multiple operations on one item';
  const alone = 'TransactItems can only contain one of Check, Put, Update or Delete';
  const nothing =
    'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request';
  const cases: readonly (readonly [string, Actions, string | RegExp])[] = [
    [
      'it has no actions',
      [],
      "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: " +
        'Member must have length greater than or equal to 1',
    ],
    [
      'it has 101 actions',
      tooMany,
      /^1 validation error detected: Value '\[.+\]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/s,
    ],
    ['it puts an item twice', [put('refused'), put('refused')], twice],
    [
      'it checks an item and puts it',
      [{ ConditionCheck: { TableName: ACCOUNTS, Key, ...check } }, put('refused')],
      twice,
    ],
    [
      'it has two actions on one item and a condition that fails',
      [
        put('refused'),
        {
          ConditionCheck: {
            TableName: ACCOUNTS,
            Key: { pk: 'none' },
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        { Delete: { TableName: ACCOUNTS, Key } },
      ],
      twice,
    ],
    [
      'two actions come as one',
      [{ ...put('refused'), Delete: { TableName: ACCOUNTS, Key: { pk: 'other' } } }],
      alone,
    ],
    ['an action is empty', [{}], nothing],
    [
      'an expression is malformed',
      [
        put('refused-other'),
        { Put: { TableName: ACCOUNTS, Item: Key, ConditionExpression: 'a =' } },
      ],
      /^Invalid ConditionExpression: Syntax error/,
    ],
    [
      'a value is not used',
      [{ Delete: { TableName: ACCOUNTS, Key, ...check, ExpressionAttributeValues: { ':x': 1 } } }],
      /^Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}$/,
    ],
    [
      'a condition check has no condition',
      [{ ConditionCheck: { TableName: ACCOUNTS, Key } as never }],
      "1 validation error detected: Value null at 'transactItems.1.member.conditionCheck.conditionExpression' " +
        'failed to satisfy constraint: Member must not be null',
    ],
    [
      'an update has no expression',
      [{ Update: { TableName: ACCOUNTS, Key } as never }],
      "1 validation error detected: Value null at 'transactItems.1.member.update.updateExpression' " +
        'failed to satisfy constraint: Member must not be null',
    ],
    [
      'it asks for what is not returned',
      [
        {
          Put: {
            TableName: ACCOUNTS,
            Item: Key,
            ReturnValuesOnConditionCheckFailure: 'ALL_NEW' as never,
          },
        },
      ],
      /Member must satisfy enum value set: \[ALL_OLD, NONE\]$/,
    ],
    [
      'a key is empty',
      [put('')],
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot ' +
        'contain an empty string value. Key: pk',
    ],
  ];
  test.each(cases)('is refused as a whole if %s', async (_, actions, message) => {
    const error = await rejectionOf(bank.transact(actions));

    expect(error).toMatchObject({
      name: 'ValidationException',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(await bank.stored('refused')).toBeUndefined();
    expect(await bank.stored('refused-other')).toBeUndefined();
  });

  test('is refused as a whole if a table does not exist, whatever its conditions say', async () => {
    await bank.store('refused-there');

    await expect(
      bank.transact([
        putNew('refused-there'),
        put('refused-new'),
        { Put: { TableName: 'bank-none', Item: { pk: 'x' } } },
      ]),
    ).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found',
    });
    expect(await bank.stored('refused-new')).toBeUndefined();
  });
});

describe('a transaction', () => {
  const ITEM_BYTES = 400 * 1024;
  const TRANSACTION_BYTES = 4 * 1024 * 1024;
  /** An item of exactly so many bytes: names and values count. */
  const sized = (pk: string, bytes: number) => ({
    pk,
    text: 'x'.repeat(bytes - 'pk'.length - pk.length - 'text'.length),
  });
  const putSized = (pk: string, bytes: number) => ({
    Put: { TableName: ACCOUNTS, Item: sized(pk, bytes) },
  });
  const updateSized = (pk: string, bytes: number) => ({
    Update: {
      TableName: ACCOUNTS,
      Key: { pk },
      UpdateExpression: 'SET #text = :text',
      ExpressionAttributeNames: { '#text': 'text' },
      ExpressionAttributeValues: { ':text': sized(pk, bytes).text },
    },
  });

  test('may have 100 actions', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `hundred-${at}`);

    await bank.transact(names.map((name) => put(name)));

    const items = await Promise.all(names.map((name) => bank.stored(name)));
    expect(items).toEqual(names.map((pk) => ({ pk })));
  });

  test.each([
    ['puts', putSized],
    ['updates to', updateSized],
  ])('%s an item of 400 KB', async (_, write) => {
    await bank.transact([write('full', ITEM_BYTES)]);

    expect(await bank.stored('full')).toEqual(sized('full', ITEM_BYTES));
  });

  test('puts no item of one byte more than 400 KB, and is refused before it begins', async () => {
    await expect(
      bank.transact([putNew('full-other'), putSized('over', ITEM_BYTES + 1)]),
    ).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Item size has exceeded the maximum allowed size',
    });
    expect(await bank.stored('full-other')).toBeUndefined();
  });

  test('updates no item to one byte more than 400 KB, and is canceled', async () => {
    await expect(
      bank.transact([putNew('full-other'), updateSized('over', ITEM_BYTES + 1)]),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'None' },
        {
          Code: 'ValidationError',
          Message: 'Item size to update has exceeded the maximum allowed size',
        },
      ],
    });
    expect(await bank.stored('full-other')).toBeUndefined();
  });

  const tenFull = Array.from({ length: 10 }, (_, at) => `total-${at}`);
  const REST = TRANSACTION_BYTES - 10 * ITEM_BYTES;

  test.each([
    ['puts', putSized],
    ['updates to', updateSized],
  ])('%s items of 4 MB in total', async (_, write) => {
    await bank.transact([...tenFull.map((pk) => write(pk, ITEM_BYTES)), write('total-rest', REST)]);

    expect(await bank.stored('total-rest')).toEqual(sized('total-rest', REST));
  });

  test.each([
    ['puts', putSized],
    ['updates to', updateSized],
  ])('%s no items of one byte more than 4 MB in total', async (_, write) => {
    const before = await bank.stored('total-rest');

    await expect(
      bank.transact([...tenFull.map((pk) => write(pk, ITEM_BYTES)), write('total-rest', REST + 1)]),
    ).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Transaction payload size cannot exceed 4MB. Payload Size: 4194305',
    });
    expect(await bank.stored('total-rest')).toEqual(before);
  });
});

describe('a client request token', () => {
  const TEN_MINUTES_MS = 10 * 60_000;
  const deposit = (pk: string, token: string, amount = 10) =>
    bank.transact(
      [
        {
          Update: {
            TableName: ACCOUNTS,
            Key: { pk },
            UpdateExpression: 'ADD balance :amount',
            ExpressionAttributeValues: { ':amount': amount },
          },
        },
      ],
      token,
    );
  /** Lets so much time go by from now on. */
  const elapse = (ms: number) => {
    const now = Date.now() + ms;
    jest.spyOn(Date, 'now').mockReturnValue(now);
  };

  test('lets a repeated request succeed without an effect', async () => {
    await deposit('token-repeated', 'repeated');
    await deposit('token-repeated', 'repeated');

    expect(await bank.stored('token-repeated')).toMatchObject({ balance: 10 });
  });

  test('lets the same request have its effect again when the token is another', async () => {
    await deposit('token-other', 'one');
    await deposit('token-other', 'other');

    expect(await bank.stored('token-other')).toMatchObject({ balance: 20 });
  });

  test('refuses another request', async () => {
    await deposit('token-taken', 'taken');

    await expect(deposit('token-taken', 'taken', 11)).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
    expect(await bank.stored('token-taken')).toMatchObject({ balance: 10 });
  });

  test('is valid for ten minutes', async () => {
    const start = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(start);
    await deposit('token-old', 'old');

    jest.spyOn(Date, 'now').mockReturnValue(start + TEN_MINUTES_MS - 1);
    await deposit('token-old', 'old');
    expect(await bank.stored('token-old')).toMatchObject({ balance: 10 });

    jest.spyOn(Date, 'now').mockReturnValue(start + TEN_MINUTES_MS);
    await deposit('token-old', 'old');
    expect(await bank.stored('token-old')).toMatchObject({ balance: 20 });
  });

  test('may come with another request after ten minutes', async () => {
    await deposit('token-free', 'free');
    elapse(TEN_MINUTES_MS);
    await deposit('token-free', 'free', 5);

    expect(await bank.stored('token-free')).toMatchObject({ balance: 15 });
  });

  test('lets a canceled request be tried again, and refuses another one', async () => {
    await bank.store('token-canceled');
    const create = (attributes: object) =>
      bank.transact([putNew('token-canceled', attributes)], 'canceled');
    await expect(create({ a: 1 })).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    await bank.dynamo.send(
      new DeleteCommand({ TableName: ACCOUNTS, Key: { pk: 'token-canceled' } }),
    );

    await expect(create({ a: 2 })).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
    await create({ a: 1 });
    expect(await bank.stored('token-canceled')).toEqual({ pk: 'token-canceled', a: 1 });
  });

  test('is not bound by a request that was malformed', async () => {
    await expect(bank.transact([put('')], 'malformed')).rejects.toThrow(/empty string/);

    await deposit('token-malformed', 'malformed');
    expect(await bank.stored('token-malformed')).toMatchObject({ balance: 10 });
  });

  test('has at most 36 characters', async () => {
    await deposit('token-long', 'x'.repeat(36));
    expect(await bank.stored('token-long')).toMatchObject({ balance: 10 });

    await expect(deposit('token-long', 'x'.repeat(37))).rejects.toThrow(
      /at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36$/,
    );
    const empty = new TransactWriteItemsCommand({
      ClientRequestToken: '',
      TransactItems: [{ Put: { TableName: ACCOUNTS, Item: { pk: { S: 'token-long' } } } }],
    });
    await expect(bank.dynamo.send(empty as never)).rejects.toThrow(
      /at 'clientRequestToken' failed to satisfy constraint: Member must have length greater than or equal to 1$/,
    );
  });
});
