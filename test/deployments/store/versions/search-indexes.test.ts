import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { compress } from '../../../../layers/platform/compression/compressed-text.ts';
import { dynamoSearchIndexes } from '../../../../layers/deployments/store/versions/search-indexes.ts';
import { versionItem } from '../../../../layers/deployments/store/versions/version-item.ts';
import { dynamoVersions } from '../../../../layers/deployments/store/versions/versions.ts';
import type { SearchIndex } from '../../../../layers/search/search-index.ts';
import type { StoredVersion } from '../../../../layers/deployments/rules/versions.ts';
import {
  aClock,
  anIndex,
  aReport,
  aVersionNotes,
  incompressible,
  startStore,
  putVersion,
} from '../../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const TableName = () => store.tableName('deployment-content');
const versions = () => dynamoVersions(store.instance(), TableName(), store.files());
const searchIndexes = () =>
  dynamoSearchIndexes({
    dynamo: store.instance(),
    TableName: TableName(),
    files: store.files(),
    clock: aClock(),
  });

const aSearchIndex = (over: Partial<SearchIndex> = {}): SearchIndex => ({
  format: 1,
  operations: [
    { name: 'getPet', method: 'GET', path: '/pets/{id}', summary: 'A pet', areas: ['pets'] },
  ],
  isReadOnly: true,
  ranked: '{"index":[]}',
  ...over,
});

const aVersion = (over: Partial<StoredVersion> = {}): StoredVersion => ({
  deploymentId: 'dep-1',
  version: 1,
  index: anIndex('getPet'),
  searchIndex: aSearchIndex(),
  report: aReport(),
  description: '{"openapi":"3.1.0"}',
  inline: true,
  notes: aVersionNotes(),
  ...over,
});

const itemOf = async (deploymentId: string, sk: string) => {
  const Key = { pk: `DEP#${deploymentId}`, sk };
  return (await store.instance().send(new GetCommand({ TableName: TableName(), Key }))).Item;
};

describe('storing a version in search mode', () => {
  test('stores what it is searched by, whole', async () => {
    await putVersion(store, aVersion({ deploymentId: 'plain' }));

    expect(await searchIndexes().find('plain', 1)).toEqual(aSearchIndex());
  });

  test('keeps it in the table while it is small, also where the rest is in files', async () => {
    await putVersion(store, aVersion({ deploymentId: 'small', inline: false }));

    expect(await itemOf('small', 'V#000001#SEARCH')).toHaveProperty('content.inline');
  });

  test('puts it into a file where it is large', async () => {
    const searchIndex = aSearchIndex({ ranked: incompressible(500_000) });
    await putVersion(store, aVersion({ deploymentId: 'large', searchIndex }));

    expect(await itemOf('large', 'V#000001#SEARCH')).toHaveProperty('content.file');
    expect(await searchIndexes().find('large', 1)).toEqual(searchIndex);
  });

  test('takes a number from a version that lists the same tools', async () => {
    const { searchIndex: _, ...listed } = aVersion({ deploymentId: 'modes' });
    const searched = aVersion({ deploymentId: 'modes' });
    const other = aVersion({ deploymentId: 'modes', searchIndex: aSearchIndex({ ranked: '{}' }) });

    expect(await putVersion(store, searched)).toBe(true);
    expect(await putVersion(store, listed)).toBe(false);
    expect(await putVersion(store, other)).toBe(false);
    expect(await putVersion(store, { ...listed, version: 2 })).toBe(true);
    expect(await putVersion(store, { ...searched, version: 2 })).toBe(false);
  });

  test('ends when all that is stored of the deployment is removed', async () => {
    const searchIndex = aSearchIndex({ ranked: incompressible(500_000, 2) });
    await putVersion(store, aVersion({ deploymentId: 'gone', searchIndex }));
    await versions().removeAll('gone');

    expect(await searchIndexes().find('gone', 1)).toBeUndefined();
    expect(await store.files().list('deployments/gone/')).toEqual([]);
  });
});

describe('finding what a version is searched by', () => {
  test('reads it once, however many ask', async () => {
    await putVersion(store, aVersion({ deploymentId: 'hot' }));
    const indexes = searchIndexes();
    store.aws.calls.reset();
    await Promise.all(Array.from({ length: 10 }, () => indexes.find('hot', 1)));
    await indexes.find('hot', 1);

    expect(store.aws.calls.list().map(({ operation, times }) => [operation, times])).toEqual([
      ['GetItem', 1],
    ]);
  });

  test('finds none for a version that lists its tools', async () => {
    const { searchIndex: _, ...listed } = aVersion({ deploymentId: 'listed' });
    await putVersion(store, listed);

    expect(await searchIndexes().find('listed', 1)).toBeUndefined();
  });

  test.each([
    [
      'a bit changed',
      async () => flipped(await compressed(aSearchIndex())),
      'is not what was stored',
    ],
    ['no JSON', async () => compress('{'), 'is not JSON'],
    ['another format', async () => compressed({ ...aSearchIndex(), format: 2 }), 'is not readable'],
    [
      'half an operation',
      async () => compressed({ ...aSearchIndex(), operations: [{ name: 'getPet' }] }),
      'is not readable',
    ],
    ['no words', async () => compressed({ ...aSearchIndex(), ranked: {} }), 'is not readable'],
  ])('is reported as a fault: %s', async (_, content, message) => {
    const key = { pk: 'DEP#malformed', sk: 'V#000001#SEARCH' };
    const Item = { ...key, ...versionItem(await content(), undefined) };
    await store.instance().send(new PutCommand({ TableName: TableName(), Item }));

    await expect(searchIndexes().find('malformed', 1)).rejects.toMatchObject({
      name: 'Fault',
      message: expect.stringContaining(`search index DEP#malformed V#000001#SEARCH ${message}`),
    });
  });
});

const compressed = (index: object) => compress(JSON.stringify(index));

const flipped = (content: Awaited<ReturnType<typeof compress>>) => {
  const bytes = Buffer.from(content.bytes);
  bytes[bytes.length - 1]! ^= 1;
  return { ...content, bytes };
};
