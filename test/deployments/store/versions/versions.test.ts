import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { compress } from '../../../../layers/platform/compression/compressed-text.ts';
import { dynamoToolIndexes } from '../../../../layers/deployments/store/versions/tool-indexes.ts';
import {
  readText,
  versionItem,
} from '../../../../layers/deployments/store/versions/version-item.ts';
import { dynamoVersions } from '../../../../layers/deployments/store/versions/versions.ts';
import type { StoredVersion } from '../../../../layers/deployments/rules/versions.ts';
import {
  aClock,
  anIndex,
  aReport,
  aVersionNotes,
  incompressible,
  NOON,
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
const toolIndexes = () =>
  dynamoToolIndexes({
    dynamo: store.instance(),
    TableName: TableName(),
    files: store.files(),
    clock: aClock(),
  });

const aVersion = (over: Partial<StoredVersion> = {}): StoredVersion => ({
  deploymentId: 'dep-1',
  version: 1,
  index: anIndex('getForecast', 'putForecast'),
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

/** Compressed, it is larger than an item may be. */
const largeText = incompressible(500_000);

describe('storing a version', () => {
  test('lets its tools be found, with every detail of the operations', async () => {
    const version = aVersion({ deploymentId: 'plain' });

    expect(await putVersion(store, version)).toBe(true);
    expect(await toolIndexes().find('plain', 1)).toEqual(version.index);
  });

  test('keeps the description as it was uploaded', async () => {
    const description = '# naïve 日本 \u0000 😀\r\nopenapi: 3.1.0\r\n';
    await putVersion(store, aVersion({ deploymentId: 'exact', description }));

    const item = await itemOf('exact', 'V#000001#SPEC');
    expect(await readText(item, store.files(), 'description')).toBe(description);
  });

  test('keeps small content in the table and touches no file', async () => {
    await putVersion(store, aVersion({ deploymentId: 'small' }));

    expect(await itemOf('small', 'V#000001#INDEX')).toHaveProperty('content.inline');
    expect(await itemOf('small', 'V#000001#SPEC')).toHaveProperty('content.inline');
    expect(store.aws.calls.count({ service: 's3' })).toBe(0);
  });

  test('puts both into files where the schema keys ask for it', async () => {
    const version = aVersion({ deploymentId: 'manykeys', inline: false });
    await putVersion(store, version);

    expect(await itemOf('manykeys', 'V#000001#INDEX')).toHaveProperty('content.file');
    expect(await itemOf('manykeys', 'V#000001#SPEC')).toHaveProperty('content.file');
    expect(await toolIndexes().find('manykeys', 1)).toEqual(version.index);
  });

  test('puts into a file only what is too large for the table', async () => {
    await putVersion(store, aVersion({ deploymentId: 'mixed', description: largeText }));

    expect(await itemOf('mixed', 'V#000001#INDEX')).toHaveProperty('content.inline');
    const spec = await itemOf('mixed', 'V#000001#SPEC');
    expect(spec).toHaveProperty('content.file');
    expect(await readText(spec, store.files(), 'description')).toBe(largeText);
  });

  test('names files after deployment, version, time and content', async () => {
    await putVersion(store, aVersion({ deploymentId: 'named', version: 12, inline: false }));

    const { Contents } = await store
      .client(S3Client)
      .send(new ListObjectsV2Command({ Bucket: store.bucket, Prefix: 'deployments/named/' }));
    expect(Contents?.map(({ Key }) => Key)).toEqual([
      expect.stringMatching(/^deployments\/named\/v12\/index-\d{10}-[0-9a-f]{64}$/),
      expect.stringMatching(/^deployments\/named\/v12\/spec-\d{10}-[0-9a-f]{64}$/),
    ]);
  });
});

describe('the number of a version', () => {
  test.each([
    ['in the table', true],
    ['in files', false],
  ])('is taken once, and what stands %s stays', async (_, inline) => {
    const deploymentId = `once-${inline}`;
    const first = aVersion({ deploymentId, inline });
    await putVersion(store, first);

    const second = aVersion({ deploymentId, inline, index: anIndex('other') });
    expect(await putVersion(store, second)).toBe(false);
    expect(await toolIndexes().find(deploymentId, 1)).toEqual(first.index);
  });

  test('is taken even by the same tools if they come from another description', async () => {
    await putVersion(store, aVersion({ deploymentId: 'reworded' }));

    const reworded = aVersion({ deploymentId: 'reworded', description: 'openapi: 3.1.0' });
    expect(await putVersion(store, reworded)).toBe(false);
  });

  test('goes to one of two that ask at once, whole', async () => {
    const sides = [
      aVersion({ deploymentId: 'raced', index: anIndex('left'), description: 'left' }),
      aVersion({ deploymentId: 'raced', index: anIndex('right'), description: 'right' }),
    ];
    const won = await Promise.all(sides.map((version) => putVersion(store, version)));

    expect([...won].sort()).toEqual([false, true]);
    const winner = sides[won.indexOf(true)];
    expect(await toolIndexes().find('raced', 1)).toEqual(winner?.index);
    const spec = await itemOf('raced', 'V#000001#SPEC');
    expect(await readText(spec, store.files(), 'description')).toBe(winner?.description);
  });

  test('is not taken when the file cannot be written', async () => {
    store.aws.faults.inject({ kind: 'fail', on: { service: 's3', operation: 'PutObject' } });
    const version = aVersion({ deploymentId: 'nofile', inline: false });

    await expect(putVersion(store, version)).rejects.toMatchObject({ neighbour: 's3' });
    store.aws.faults.clear();
    expect(await toolIndexes().find('nofile', 1)).toBeUndefined();
    expect(await putVersion(store, { ...version, index: anIndex('another') })).toBe(true);
  });
});

describe('the files of versions', () => {
  const listed = async (deploymentId: string) =>
    (await versions().files({ limit: 1000 })).items.filter(
      (file) => file.deploymentId === deploymentId,
    );

  test('are listed with the version that they were stored for, and when', async () => {
    await putVersion(store, aVersion({ deploymentId: 'filed', version: 7, inline: false }));

    const of = { deploymentId: 'filed', version: 7, createdAt: NOON };
    const files = await listed('filed');
    expect(files).toEqual([
      { key: expect.stringContaining('/index-'), part: 'index', ...of },
      { key: expect.stringContaining('/spec-'), part: 'spec', ...of },
    ]);
    expect(await Promise.all(files.map(versions().isInUse))).toEqual([true, true]);
  });

  test('are listed page after page', async () => {
    await putVersion(store, aVersion({ deploymentId: 'paged', inline: false }));
    const { items: all } = await versions().files({ limit: 1000 });

    const [first, second] = all;
    expect(await versions().files({ limit: 1 })).toEqual({ items: [first], next: first?.key });
    const { items } = await versions().files({ limit: 1, after: first?.key });
    expect(items).toEqual([second]);
    expect(await versions().files({ limit: 1, after: all.at(-1)?.key })).toEqual({ items: [] });
  });

  test('are new ones for each try to store a version', async () => {
    const first = aVersion({ deploymentId: 'tries', inline: false });
    await putVersion(store, first);
    const notes = aVersionNotes({ createdAt: NOON + 1 });
    expect(await putVersion(store, { ...first, notes })).toBe(false);

    const times = (await listed('tries')).map(({ createdAt }) => createdAt);
    expect(times).toEqual([NOON, NOON + 1, NOON, NOON + 1]);
    const inUse = (await listed('tries')).map(versions().isInUse);
    expect(await Promise.all(inUse)).toEqual([true, false, true, false]);
  });

  test('are removed one by one, or with all that is stored of a deployment', async () => {
    await putVersion(store, aVersion({ deploymentId: 'gone', inline: false }));
    const [one, other] = await listed('gone');
    await versions().removeFile(one!.key);
    expect(await listed('gone')).toEqual([other]);

    await versions().removeAll('gone');
    expect(await listed('gone')).toEqual([]);
    expect(await versions().notes('gone', 1)).toBeUndefined();
    expect(await toolIndexes().find('gone', 1)).toBeUndefined();
  });
});

describe('finding tools', () => {
  test('finds none of a version that does not exist, and finds them once it does', async () => {
    const indexes = toolIndexes();
    expect(await indexes.find('later', 1)).toBeUndefined();
    await putVersion(store, aVersion({ deploymentId: 'later' }));

    expect(await indexes.find('later', 1)).toEqual(aVersion().index);
  });

  test('reads a version once, however many ask and whenever', async () => {
    await putVersion(store, aVersion({ deploymentId: 'hot', inline: false }));
    const indexes = toolIndexes();
    store.aws.calls.reset();
    await Promise.all(Array.from({ length: 10 }, () => indexes.find('hot', 1)));
    await indexes.find('hot', 1);

    expect(store.aws.calls.list().map(({ operation, times }) => [operation, times])).toEqual([
      ['GetItem', 1],
      ['GetObject', 1],
    ]);
  });

  test('keeps versions and deployments apart', async () => {
    await putVersion(store, aVersion({ deploymentId: 'two', version: 1, index: anIndex('old') }));
    await putVersion(store, aVersion({ deploymentId: 'two', version: 11, index: anIndex('new') }));
    const indexes = toolIndexes();

    expect(await indexes.find('two', 1)).toEqual(anIndex('old'));
    expect(await indexes.find('two', 11)).toEqual(anIndex('new'));
    expect(await indexes.find('two', 2)).toBeUndefined();
  });

  test('is reported as a fault when the store is down', async () => {
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(toolIndexes().find('any', 1)).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(putVersion(store, aVersion())).rejects.toMatchObject({ neighbour: 'dynamodb' });
  });
});

describe('content that is not what was stored', () => {
  const putIndex = async (deploymentId: string, item: Record<string, unknown>) => {
    const Item = { pk: `DEP#${deploymentId}`, sk: 'V#000001#INDEX', ...item };
    await store.instance().send(new PutCommand({ TableName: TableName(), Item }));
  };

  const overwriteFile = async (deploymentId: string, change: (bytes: Buffer) => Buffer) => {
    await putVersion(store, aVersion({ deploymentId, inline: false }));
    const item = await itemOf(deploymentId, 'V#000001#INDEX');
    const place = { Bucket: store.bucket, Key: (item!['content'] as { file: string }).file };
    const s3 = store.client(S3Client);
    const { Body } = await s3.send(new GetObjectCommand(place));
    const bytes = change(Buffer.from(await Body!.transformToByteArray()));
    await s3.send(new PutObjectCommand({ ...place, Body: bytes }));
  };

  const flipped = (bytes: Uint8Array): Buffer => {
    const changed = Buffer.from(bytes);
    changed[changed.length - 1]! ^= 1;
    return changed;
  };

  test('is reported as a fault of the table: a bit changed', async () => {
    const compressed = await compress(JSON.stringify(anIndex('one')));
    await putIndex(
      'bit',
      versionItem({ ...compressed, bytes: flipped(compressed.bytes) }, undefined),
    );

    await expect(toolIndexes().find('bit', 1)).rejects.toMatchObject({
      message: 'dynamodb: tool index DEP#bit V#000001#INDEX is not what was stored',
      cause: { message: 'the SHA-256 differs' },
    });
  });

  test('is reported as a fault of the table: another length than said', async () => {
    const compressed = await compress(JSON.stringify(anIndex('one')));
    await putIndex('length', versionItem({ ...compressed, textBytes: 7 }, undefined));

    await expect(toolIndexes().find('length', 1)).rejects.toMatchObject({
      neighbour: 'dynamodb',
      cause: { message: 'the length differs' },
    });
  });

  test('is reported as a fault of the files: a bit changed', async () => {
    await overwriteFile('filebit', flipped);

    await expect(toolIndexes().find('filebit', 1)).rejects.toMatchObject({
      neighbour: 's3',
      cause: { message: 'the SHA-256 differs' },
    });
  });

  test('is reported as a fault of the files: longer than said', async () => {
    await overwriteFile('filelong', (bytes) => Buffer.concat([bytes, bytes]));

    await expect(toolIndexes().find('filelong', 1)).rejects.toMatchObject({
      neighbour: 's3',
      message: expect.stringMatching(/has \d+ bytes, not \d+$/),
    });
  });

  test('is reported as a fault of the files: no such file', async () => {
    const compressed = await compress(JSON.stringify(anIndex('one')));
    const file = 'deployments/nofileatall/v1/index-gone';
    await putIndex('nofileatall', versionItem(compressed, file));

    await expect(toolIndexes().find('nofileatall', 1)).rejects.toMatchObject({
      neighbour: 's3',
      cause: { name: 'NoSuchKey' },
    });
  });

  test.each([
    ['no content', async () => ({ sha256: 'a'.repeat(64), textBytes: 1, storedBytes: 1 })],
    ['no hash', async () => ({ ...versionItem(await compress('{}'), undefined), sha256: '' })],
    [
      'text for bytes',
      async () => ({
        ...versionItem(await compress('{}'), undefined),
        content: { inline: '{}' },
      }),
    ],
    ['no JSON', async () => versionItem(await compress('{'), undefined)],
    [
      'another format',
      async () => versionItem(await compress('{"format":2,"tools":[]}'), undefined),
    ],
    [
      'half a tool',
      async () => versionItem(await compress('{"format":1,"tools":[{"name":"a"}]}'), undefined),
    ],
  ])('is reported as a fault: %s', async (_, item) => {
    await putIndex('malformed', await item());

    await expect(toolIndexes().find('malformed', 1)).rejects.toMatchObject({ name: 'Fault' });
  });

  test('is read again once it is mended', async () => {
    const indexes = toolIndexes();
    await putIndex('mended', {});
    await expect(indexes.find('mended', 1)).rejects.toMatchObject({ name: 'Fault' });
    await putIndex(
      'mended',
      versionItem(await compress(JSON.stringify(anIndex('one'))), undefined),
    );

    expect(await indexes.find('mended', 1)).toEqual(anIndex('one'));
  });
});
