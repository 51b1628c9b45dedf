import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const REPOSITORY = resolve('.');
const SOURCES = ['lambdas', 'layers', 'lib', 'cli', 'local'];
/**
 * What the sources import besides: a browser's code is checked by itself, but for the types of the management API,
 * which the command line has too.
 */
const ALSO = [
  'console/build.ts',
  'console/src/api/operation.ts',
  'console/src/api/openapi.ts',
  'package.json',
];
const METHODS = 'layers/deployments/rules/auth-methods.ts';
const KINDS = 'layers/target/rules/credential.ts';
const CHOICES = 'layers/deployments/rules/choices.ts';
const AUTHENTICATE = 'layers/mcp/steps/authentication/authenticate.ts';

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'hosted-mcp-kinds-'));
  const filter = (path: string) => !path.endsWith('node_modules');
  for (const path of [...SOURCES, ...ALSO]) {
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
      [tsc, '-p', copy, '--pretty', 'false', '--incremental', '--singleThreaded'],
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

const filesOf = (found: Awaited<ReturnType<typeof complaints>>): readonly string[] =>
  [...new Set(found.map(([file]) => file))].toSorted();

/** All at once: the type check takes long. */
const addAll = async (): Promise<void> => {
  await edit(
    METHODS,
    "['oauth', 'jwt', 'none'] as const",
    "['oauth', 'jwt', 'api_key', 'none'] as const",
  );
  await edit(
    KINDS,
    '  bearer: {',
    "  ticket: { from: 'store', open: { realm: z.string() }, sealed: { ticket: secret } },\n  bearer: {",
  );
  await edit(
    CHOICES,
    '  traceContext: oneOf(',
    "  caching: oneOf(['off', 'on'], 'Whether answers are cached.'),\n  traceContext: oneOf(",
  );
};

const OF_MODE = [
  [
    METHODS,
    'export const AUTH_METHOD_TRAITS: Readonly<Record<McpAuthMethod, AuthMethodTraits>> = {',
  ],
  [AUTHENTICATE, 'const MODES: Readonly<Record<McpAuthMethod, Authenticate>> = {'],
];

/** Beside the table of kinds. */
const OF_KIND = [
  'layers/credentials/rules/check-credential.ts',
  'layers/credentials/rules/same-place.ts',
  'layers/openapi/credential-needs.ts',
  'layers/target/rules/credential-forms.ts',
  'layers/tools/masking/secret-forms.ts',
  'layers/tools/masking/shown.ts',
  'layers/tools/request/build-request.ts',
];

describe('adding an auth mode, a kind of credentials and a setting', () => {
  test('the type check names what has to know the mode and the kind, and nothing for the setting', async () => {
    await addAll();

    const found = await complaints();

    expect(found.filter(([file]) => !OF_KIND.includes(file))).toEqual(OF_MODE);
    expect(filesOf(found)).toEqual([...OF_KIND, ...OF_MODE.map(([file]) => file)].toSorted());
  });

  test('one new file and an entry in each of the two tables are enough for the mode', async () => {
    await writeFile(
      join(copy, 'layers/mcp/steps/authentication/accept-api-key.ts'),
      `import { InvalidToken } from '../../../tokens/rules/authorization.ts';
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
      "  api_key: { tokensFrom: 'owner', mintedMaxSeconds: 0, description: '', badge: '', explanation: '' },\n  none: {",
    );

    expect(filesOf(await complaints())).toEqual(OF_KIND);
  });
});
