import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { testsReachedBy } from '../support/run/changed.ts';

const root = mkdtempSync(join(tmpdir(), 'hosted-mcp-changed-'));
afterAll(() => rmSync(root, { recursive: true }));

const SOURCES: Readonly<Record<string, string>> = {
  'package.json': '{"workspaces":["layers"]}',
  'layers/package.json': '{"name":"@us/layers","exports":{"./rules":"./domain/rules.ts"}}',
  'layers/domain/rules.ts': "export * from './numbers.ts';",
  'layers/domain/numbers.ts': 'export type Two = 2;\nexport const two: Two = 2;',
  'lambdas/route.ts': "import { two } from '@us/layers/rules';",
  'local/service.ts': "new Worker(new URL('../local/thread.ts', import.meta.url));",
  'local/thread.ts': '',
  'test/numbers.test.ts': "import { two } from '../layers/domain/numbers.ts';",
  'test/types.test.ts':
    "import type {\n  Two,\n} from '../layers/domain/numbers.ts';\nimport 'node:fs';",
  'test/route.test.ts': "import '../lambdas/route.ts';",
  'test/service.test.ts': "await import('../local/service.ts');",
  'test/lambdas/environment.test.ts': '',
};
for (const [path, source] of Object.entries(SOURCES)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), source);
}

describe('of the tests, a change', () => {
  const always = 'test/lambdas/environment.test.ts';
  test.each([
    [
      'reaches those that import it, at any distance',
      'layers/domain/numbers.ts',
      ['numbers', 'route'],
    ],
    ['reaches them through the door of a package', 'layers/domain/rules.ts', ['route']],
    ['of a worker reaches those of what starts it', 'local/thread.ts', ['service']],
    ['of a test reaches that test', 'test/types.test.ts', ['types']],
    ['of a document reaches those that run always', 'docs/limits.md', []],
    ['of the packages reaches all', 'package-lock.json', ['numbers', 'types', 'route', 'service']],
  ])('%s', (_rule, changed, names) => {
    expect(testsReachedBy([changed], Object.keys(SOURCES), root)).toEqual([
      ...names.map((name) => `test/${name}.test.ts`),
      always,
    ]);
  });
});
