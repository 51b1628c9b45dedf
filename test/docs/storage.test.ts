import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TableManifest, type TableName, tables } from '../../lambdas/storage-manifest.ts';
import { startStore, type Store } from '../support/aws/dynamodb-fixtures.ts';
import { storeOneOfEverything } from './one-of-everything.ts';
import { type DocumentedKind, readStorageDocument } from './storage-document.ts';

type Item = Readonly<Record<string, unknown>>;

const { tables: documented, kinds } = await readStorageDocument();
const names = Object.keys(tables) as readonly TableName[];

let store: Store;
/** What is stored, by table. */
let stored: ReadonlyMap<string, readonly Item[]>;
beforeAll(async () => {
  store = await startStore();
  await storeOneOfEverything(store);
  stored = new Map(await Promise.all(names.map(async (name) => [name, await scan(name)] as const)));
});
afterAll(() => store.stop());

const scan = async (name: TableName): Promise<readonly Item[]> => {
  const pages = paginateScan({ client: store.instance() }, { TableName: store.tableName(name) });
  return (await Array.fromAsync(pages)).flatMap(({ Items }) => Items ?? []);
};

describe('docs/storage.md', () => {
  test('describes every table with its keys, its time to live, its indexes and its backups', () => {
    expect(documented).toEqual(
      Object.fromEntries(names.map((name) => [name, lineAbout(tables[name])])),
    );
  });

  test('knows every item by its key', () => {
    const unknown = [...stored].flatMap(([table, items]) =>
      items.filter((item) => kindOf(table, item) === undefined).map(keyOf),
    );

    expect(unknown).toEqual([]);
  });

  test.each(kinds.map((kind) => [kind.table, kind.key, kind] as const))(
    'names the attributes of the item %s %s, all of them and no others',
    (table, _, kind) => {
      const items = (stored.get(table) ?? []).filter((item) => kindOf(table, item) === kind);

      expect(items).not.toEqual([]);
      const attributes = items.map(({ pk: _pk, sk: _sk, ...item }) => item);
      expect(attributesOf(attributes, kind.attributes)).toEqual(kind.attributes);
    },
  );
});

const lineAbout = ({
  partitionKey,
  sortKey,
  timeToLive,
  indexes,
  backup,
}: TableManifest): string => {
  const keys = [partitionKey, sortKey].filter((key) => key !== undefined);
  const told = indexes.map(
    (index) => `\`${index.name}\` (\`${index.partitionKey}\`, \`${index.sortKey.name}\`)`,
  );
  return [
    `Keys: ${keys.map((key) => `\`${key}\``).join(', ')}.`,
    `Time to live: ${timeToLive === undefined ? 'none' : `\`${timeToLive}\``}.`,
    `Indexes: ${told.join(', ') || 'none'}.`,
    `Backups: ${backup.replaceAll('-', ' ')}.`,
  ].join(' ');
};

const keyOf = ({ pk, sk }: Item): string => [pk, sk].filter((key) => key !== undefined).join(' ');

/** The kind whose key says most of what the item's says. */
const kindOf = (table: string, item: Item): DocumentedKind | undefined =>
  kinds
    .filter((kind) => kind.table === table && patternOf(kind).test(keyOf(item)))
    .toSorted((one, other) => fixedPart(other).length - fixedPart(one).length)[0];

/** Nothing but the placeholders in a key means anything to a regular expression. */
const patternOf = ({ key }: DocumentedKind): RegExp =>
  new RegExp(`^${key.replaceAll(/\{[^}]*\}/g, '.+')}$`, 's');

const fixedPart = ({ key }: DocumentedKind): string => key.replaceAll(/\{[^}]*\}/g, '');

/**
 * What the attributes of items are, in the words of the document.
 *
 * @param told - which maps have one entry for each of something
 */
const attributesOf = (
  items: readonly Item[],
  told: Readonly<Record<string, string>>,
  prefix = '',
): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const name of new Set(items.flatMap((item) => Object.keys(item)))) {
    const path = `${prefix}${name}`;
    const values = items.map((item) => item[name]).filter((value) => value !== undefined);
    const types = [...new Set(values.map(typeOf))].join(' or ');
    const [, each = ''] = /^M( by [^,]+)/.exec(told[path] ?? '') ?? [];
    const isOptional = values.length < items.length;
    found[path] = `${types}${each}${isOptional ? ', optional' : ''}`;
    if (types === 'M' && each === '') {
      Object.assign(found, attributesOf(values.filter(isMap), told, `${path}.`));
    }
  }
  return found;
};

const typeOf = (value: unknown): string => {
  if (typeof value === 'string') return 'S';
  if (typeof value === 'number') return 'N';
  if (typeof value === 'boolean') return 'BOOL';
  if (value instanceof Uint8Array) return 'B';
  if (value instanceof Set) return 'SS';
  return Array.isArray(value) ? 'L' : 'M';
};

const isMap = (value: unknown): value is Item => typeOf(value) === 'M';
