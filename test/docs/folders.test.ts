import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const SOURCES = [
  'bench',
  'bin',
  'cdk',
  'cli',
  'console',
  'lambdas',
  'layers',
  'lib',
  'local',
  'test',
];
/** Source: CONTRIBUTING.md, "Folders". */
const MOST_FILES = 35;

test(`no folder has more than ${MOST_FILES} source files`, () => {
  const counts = new Map<string, number>();
  for (const root of SOURCES) {
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const { parentPath } = entry;
      if (!entry.isFile() || !/\.[cm]?tsx?$|\.[cm]js$/.test(entry.name)) continue;
      if (/(^|\/)node_modules(\/|$)/.test(parentPath)) continue;
      counts.set(parentPath, (counts.get(parentPath) ?? 0) + 1);
    }
  }
  expect(counts.get('test/docs')).toBeGreaterThan(10);
  expect([...counts].filter(([, files]) => files > MOST_FILES)).toEqual([]);
});
