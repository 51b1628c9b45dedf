import { describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, plainMaps } from './plain-maps.ts';

/** How often each file asks in each of these words: of names that are ours, or that the object has for sure. */
type Known = Readonly<Record<string, Readonly<Record<string, number>>>>;
const KNOWN = new URL('plain-maps.json', import.meta.url);

/** The constructs in `cdk/src` take names as they are; loading the types of the CDK takes longer than all of these. */
const SOURCES = ['layers', 'lambdas', 'cli', 'local', 'cdk/compiler', 'cdk/provider'];

const counted = (found: readonly Asked[]): readonly string[] =>
  [...Map.groupBy(found, ({ file, text }) => `${file}: ${text}`)]
    .map(([at, all]) => `${at} (${all.length})`)
    .toSorted();

const foundIn = async (source: string): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-names-'));
  try {
    await writeFile(join(folder, 'a.ts'), source);
    return (await plainMaps('tsconfig.json', [folder])).map(({ text }) => text);
  } finally {
    await rm(folder, { recursive: true });
  }
};

describe('maps for names that people choose', () => {
  test('are no plain objects, which have more names than anybody gave them', async () => {
    const known: Known = JSON.parse(await readFile(KNOWN, 'utf8'));
    const found = [
      ...(await plainMaps('tsconfig.json', SOURCES)),
      ...(await plainMaps('console/tsconfig.json', ['console/src'])),
    ];

    // One more: ask with `member`, or hold the names in a Map. One less: take it out of the list.
    expect(counted(found)).toEqual(
      Object.entries(known)
        .flatMap(([file, texts]) =>
          Object.entries(texts).map(([text, count]) => `${file}: ${text} (${count})`),
        )
        .toSorted(),
    );
  });

  test('are found in each way of asking, whatever the variables are called', async () => {
    const source = `
      export const of = (map: Record<string, number>, name: string, part: object) => {
        map[name] = 1;
        const { [name]: other } = map;
        return [map[name], map[\`a\${name}\`], name in part, Reflect.get(part, name), other];
      };`;

    expect((await foundIn(source)).toSorted()).toEqual(
      [
        'map[name]',
        'map[name]',
        '[name]: other',
        'map[`a${name}`]',
        'name in part',
        'Reflect.get(part, name)',
      ].toSorted(),
    );
  });

  test('are not seen in lists, closed tables, or where names are own for sure', async () => {
    const source = `
      type Kind = 'a' | 'b';
      declare const table: Readonly<Record<Kind, number>>;
      declare const map: Record<string, number>;
      export const of = (list: readonly string[], at: number, kind: Kind, name: string) => [
        list[at], table[kind], 'a' in table, new Map(Object.entries(map)).get(name), map['a'],
        Object.keys(map).map((key) => map[key]),
        Object.hasOwn(map, name) ? map[name] : undefined,
      ];`;

    expect(await foundIn(source)).toEqual([]);
  });
});
