import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from './documents.ts';

const textOf = (path: string) => readFile(join(ROOT, path), 'utf8');

/** Rows of all tables, as cells. */
const rowsIn = (markdown: string): readonly (readonly string[])[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\|[\s|-]*\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' |')
        .map((cell) => cell.trim()),
    );

/**
 * How many requirements of levels 1 and 2 each section of the standard has. They are numbered from 1; those of
 * level 3 come last in each section. Source: OWASP ASVS 5.0.0.
 */
const SECTIONS: Readonly<Record<string, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};

const wanted = Object.entries(SECTIONS).flatMap(([chapter, counts]) =>
  counts.flatMap((count, section) =>
    Array.from({ length: count }, (_, at) => `${chapter}.${section + 1}.${at + 1}`),
  ),
);

describe('docs/asvs.md', () => {
  test('has every requirement of levels 1 and 2 once, in order', async () => {
    const ids = rowsIn(await textOf('docs/asvs.md')).map(([id]) => id);

    expect(ids).toEqual(wanted);
    expect(ids).toHaveLength(253);
  });

  test('says of each that it is met, does not apply or is not met, and why in the latter two', async () => {
    const rows = rowsIn(await textOf('docs/asvs.md'));
    const bare = rows.filter(([, , state, why]) => state !== 'met' && why === '');

    expect(new Set(rows.map(([, , state]) => state))).toEqual(
      new Set(['met', 'n/a', '**not met**']),
    );
    expect(bare).toEqual([]);
  });

  test('counts them truly', async () => {
    const text = await textOf('docs/asvs.md');
    const states = rowsIn(text).map(([, , state]) => state);
    const count = (wantedState: string) => states.filter((state) => state === wantedState).length;

    expect(text).toContain(
      `${count('met')} are met, ${count('n/a')} do not apply, ${count('**not met**')} are not met.`,
    );
  });
});

describe('SECURITY.md', () => {
  test('has a control and a test for every threat', async () => {
    const [, section = ''] = (await textOf('SECURITY.md')).split('\n## Threats\n');
    const [, ...threats] = rowsIn(section.split('\n## ')[0] ?? '');
    const bare = threats.filter(
      ([threat = '', control = '', proof = '']) =>
        threat === '' || control === '' || !/\]\(test\/[^)]+\.test\.ts\)/.test(proof),
    );

    expect(bare).toEqual([]);
    expect(threats.length).toBeGreaterThan(20);
  });
});
