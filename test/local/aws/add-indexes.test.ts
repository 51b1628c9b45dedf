import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TableManifest } from '../../../lambdas/manifest.ts';
import { createTables } from '../../../local/aws/dynamodb/create-tables.ts';
import { type DynamoEngine, openDynamoEngine } from '../../../local/aws/dynamodb/engine.ts';
import { openTimeToLive } from '../../../local/aws/dynamodb/time-to-live.ts';

let folder: string;
let engine: DynamoEngine;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-indexes-'));
  engine = await openDynamoEngine(join(folder, 'level'), 'us-east-1');
});
afterEach(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

const index = (name: string, partitionKey: string) => ({
  name,
  partitionKey,
  sortKey: { name: 'sk', type: 'string' as const },
});
const table = (...indexes: TableManifest['indexes']): TableManifest => ({
  partitionKey: 'pk',
  sortKey: 'sk',
  indexes,
});

const create = async (events: TableManifest, on = engine) =>
  createTables(on, await openTimeToLive(folder, on), { events }, 't-');

const TableName = 't-events';
const put = (pk: string, more: object = {}) =>
  engine.run('PutItem', { TableName, Item: { pk: { S: pk }, sk: { S: 'at' }, ...more } });
/** The partition keys of what an index has, page by page. */
const placesIn = async (
  IndexName: string,
  attribute: string,
  id: string,
  from?: unknown,
): Promise<readonly string[]> => {
  const { Items, LastEvaluatedKey } = await engine.run('Query', {
    TableName,
    IndexName,
    KeyConditionExpression: `${attribute} = :id`,
    ExpressionAttributeValues: { ':id': { S: id } },
    ...(from !== undefined && { ExclusiveStartKey: from }),
  });
  const places = (Items as { pk: { S: string } }[]).map(({ pk }) => pk.S);
  if (LastEvaluatedKey === undefined) return places.toSorted();
  return [...places, ...(await placesIn(IndexName, attribute, id, LastEvaluatedKey))].toSorted();
};
const bulk = 'x'.repeat(300_000);

describe('a table that was made before its indexes', () => {
  test('gets them at the next start, with what belongs in them, however much it is', async () => {
    await create(table());
    for (const pk of ['a', 'b', 'c', 'd', 'e'])
      await put(pk, { one: { S: 'x' }, bulk: { S: bulk } });
    await put('f', { one: { S: 'y' } });
    await put('g', { two: { S: 'x' } });
    await create(table(index('by-one', 'one'), index('by-two', 'two')));
    await put('h', { one: { S: 'x' } });

    expect(await placesIn('by-one', 'one', 'x')).toEqual(['a', 'b', 'c', 'd', 'e', 'h']);
    expect(await placesIn('by-two', 'two', 'x')).toEqual(['g']);
  });

  test('keeps the ones it has, and is left alone then', async () => {
    await create(table(index('by-one', 'one')));
    await put('a', { one: { S: 'x' }, two: { S: 'x' } });
    const wanted = table(index('by-one', 'one'), index('by-two', 'two'));
    await create(wanted);
    const before = await engine.run('DescribeTable', { TableName });
    await create(wanted);

    expect(await engine.run('DescribeTable', { TableName })).toEqual(before);
    expect(await placesIn('by-one', 'one', 'x')).toEqual(['a']);
    expect(await placesIn('by-two', 'two', 'x')).toEqual(['a']);
  });

  test('has them filled again where that broke off', async () => {
    await create(table());
    for (const pk of ['a', 'b', 'c']) await put(pk, { one: { S: 'x' } });
    let puts = 0;
    const dying: DynamoEngine = {
      ...engine,
      run: (operation, input) => {
        if (operation === 'PutItem' && (puts += 1) === 2) throw new Error('killed here');
        return engine.run(operation, input);
      },
    };
    const wanted = table(index('by-one', 'one'));
    await expect(create(wanted, dying)).rejects.toThrow('killed here');
    await create(wanted);

    expect(await placesIn('by-one', 'one', 'x')).toEqual(['a', 'b', 'c']);
  });
});
