import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const REPOSITORY = resolve('.');
const SOURCES = ['lambdas', 'layers', 'cli', 'local'];
/** What sources of the console's function ask for; a browser's code is checked by itself. */
const BUILD = 'console/build.ts';
const PACKAGE = 'package.json';
const METHODS = 'layers/servers/rules/auth-methods.ts';
const AUTHENTICATE = 'layers/mcp/steps/authentication/authenticate.ts';

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'hosted-mcp-auth-mode-'));
  const filter = (path: string) => !path.endsWith('node_modules');
  for (const path of [...SOURCES, BUILD, PACKAGE]) {
    await cp(path, join(copy, path), { recursive: true, filter });
  }
  for (const packages of ['node_modules', 'layers/node_modules']) {
    await symlink(join(REPOSITORY, packages), join(copy, packages));
  }
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(await configuration()));
});
afterAll(() => rm(copy, { recursive: true }));

const configuration = async (): Promise<object> => {
  const { compilerOptions } = JSON.parse(await readFile('tsconfig.json', 'utf8'));
  return { compilerOptions, include: SOURCES };
};

const edit = async (file: string, before: string, after: string): Promise<void> => {
  const text = await readFile(join(copy, file), 'utf8');
  expect(text).toContain(before);
  await writeFile(join(copy, file), text.replace(before, after));
};

/** What the type check complains about: a file, and the line's own words. */
const complaints = async (): Promise<readonly (readonly [file: string, line: string])[]> => {
  const tsc = join(REPOSITORY, 'node_modules/typescript-native/bin/tsc');
  const output = await new Promise<string>((done) =>
    execFile(
      process.execPath,
      [tsc, '-p', copy, '--pretty', 'false', '--incremental'],
      { cwd: copy },
      (_, out) => done(out),
    ),
  );
  const places = [...output.matchAll(/^(\S+)\((\d+),\d+\): error/gm)];
  return Promise.all(
    places.map(async ([, file = '', line]) => {
      const lines = (await readFile(join(copy, file), 'utf8')).split('\n');
      return [file, lines[Number(line) - 1]?.trim() ?? ''] as const;
    }),
  );
};

describe('adding an auth mode', () => {
  test('the type check names the two tables that lack the new mode, and nothing else', async () => {
    await edit(
      METHODS,
      "['oauth', 'jwt', 'none'] as const",
      "['oauth', 'jwt', 'api_key', 'none'] as const",
    );

    expect(await complaints()).toEqual([
      [AUTHENTICATE, 'const MODES: Readonly<Record<McpAuthMethod, Authenticate>> = {'],
      [
        METHODS,
        'export const AUTH_METHOD_TRAITS: Readonly<Record<McpAuthMethod, AuthMethodTraits>> = {',
      ],
    ]);
  });

  test('one new file and an entry in each of the two tables are enough', async () => {
    await writeFile(
      join(copy, 'layers/mcp/steps/authentication/accept-api-key.ts'),
      `import { InvalidToken } from '../../../tokens/rules/invalid-token.ts';
       import type { Accept } from './accept.ts';
       export const acceptApiKey: Accept<object> = async (_ports, key, { deployment }) => {
         if (key !== deployment.id) throw new InvalidToken('unknown key');
         const { ownerId: subject, ownerPlan: plan } = deployment;
         return { subject, usage: subject, plan, scopes: [] };
       };`,
    );
    await edit(
      AUTHENTICATE,
      'const MODES',
      "import { acceptApiKey } from './accept-api-key.ts';\nconst MODES",
    );
    await edit(
      AUTHENTICATE,
      '  none: anyone,',
      '  none: anyone,\n  api_key: bearer(acceptApiKey),',
    );
    await edit(
      METHODS,
      '  none: {',
      "  api_key: { tokensFrom: 'owner', description: '', badge: '', explanation: '' },\n  none: {",
    );

    expect(await complaints()).toEqual([]);
  });
});
