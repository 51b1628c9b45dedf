import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { parseJson as storedJson } from '../../layers/platform/dynamodb/items.ts';
import { parseJson as sentJson } from '../../layers/platform/http/event.ts';
import {
  jsonOrUndefined,
  NotJson,
  parsedJson,
} from '../../layers/platform/rules/json/parsed-json.ts';
import { readAssumableRoles } from '../../layers/credentials/rules/aws-role.ts';
import { readNetwork } from '../../layers/target/rules/network.ts';
import { openKeyStore } from '../../local/aws/kms/key-store.ts';
import { openSecretStore } from '../../local/aws/secrets/secret-store.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const CANARY = 'canary4711secret';
const BROKEN: readonly (readonly [string, string, string])[] = [
  ['a comma too many', `{"d":"${CANARY}",}`, 'no JSON (line 1, column 25)'],
  ['a break in a text', `{\n"d":"${CANARY}\n"}`, 'no JSON (line 2, column 22)'],
  ['an end too early', `{"d":"${CANARY}`, 'no JSON (line 1, column 23)'],
  ['words without quotes', `{"d":${CANARY}}`, 'no JSON'],
  [
    'a place of its own',
    '"(line 4711 column 4711)" x(line 4711 column 4711)',
    'no JSON (line 1, column 27)',
  ],
  ['a secret and nothing else', CANARY, 'no JSON'],
];

/** All that a log, a terminal or a caller could be shown of an error. */
const shown = (error: unknown): string =>
  `${inspect(error, { depth: 20, showHidden: true })} ${String(error)} ${JSON.stringify(error)}`;

/** @throws Error if there is nothing to show */
const failureOf = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('it was read');
};

describe('a text that is no JSON', () => {
  test.each(BROKEN)('because of %s is told by its place', (_, text, message) => {
    expect(() => parsedJson(text)).toThrow(NotJson);
    expect(() => parsedJson(text)).toThrow(expect.objectContaining({ message }));
    expect(jsonOrUndefined(text)).toBeUndefined();
  });

  const READERS: readonly (readonly [string, (text: string) => unknown])[] = [
    ['JSON', parsedJson],
    ['the body of a request', sentJson],
    ['a stored item', (text) => storedJson(z.unknown(), text, 'the item')],
    ['roles of AWS in a variable', readAssumableRoles],
    ['a network in a variable', readNetwork],
    ['a secret of the local run', (text) => fromFolder(text, openSecretStore)],
    ['a key of the local run', (text) => fromFolder(text, openKeyStore)],
  ];
  for (const [what, read] of READERS) {
    test.each(BROKEN)(`is in no error of ${what}: %s`, async (_, text) => {
      expect(shown(await failureOf(() => read(text)))).not.toContain(CANARY);
    });
  }
});

const fromFolder = async (
  text: string,
  open: (folder: string, region: string) => unknown,
): Promise<unknown> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-spoilt-'));
  await writeFile(join(folder, 'one.json'), text);
  return open(folder, 'eu-central-1');
};

describe('lint', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-lint-'));
    await cp(join(CHECKOUT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const PLACES = [
    'cli/x.ts',
    'cdk/provider/x.ts',
    'layers/a/rules/x.ts',
    'layers/platform/system/x.ts',
  ];
  const ALSO = ['lambdas/a/index.ts', 'bin/x.ts', 'local/aws/x.ts', 'lib/x.ts', 'cdk/src/x.ts'];
  test.each([
    ['JSON.parse', 'export const read = (text: string): unknown => JSON.parse(text);'],
    ['JSON.parse as a value', 'export const read = JSON.parse;'],
    ['JSON.parse by another name', 'const { parse } = JSON; export const read = parse;'],
    ['a reader of keys', "export { createPrivateKey } from 'node:crypto';"],
    [
      'certificates',
      "import { X509Certificate } from 'node:crypto'; export const a = X509Certificate;",
    ],
    ['all of node:crypto', "import * as crypto from 'node:crypto'; export const a = crypto;"],
    ['a reader of JWKs', "import { importJWK } from 'jose'; export const read = importJWK;"],
    ['YAML', "import { parse } from 'yaml'; export const read = parse;"],
    ['YAML on demand', "export const read = async () => (await import('yaml')).parse;"],
    ['the YAML of descriptions', "import { load } from 'js-yaml'; export const read = load;"],
  ])('refuses %s wherever a secret could be read', async (_, source) => {
    const places = [...PLACES, ...ALSO];
    for (const place of places) {
      await mkdir(dirname(join(folder, place)), { recursive: true });
      await writeFile(join(folder, place), `${source}\n`);
    }
    const oxlint = join(CHECKOUT, 'node_modules/oxlint/bin/oxlint');
    const run = promisify(execFile)(process.execPath, [oxlint, '--format', 'unix'], {
      cwd: folder,
    });
    const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
    const found = places.filter((place) => new RegExp(`${place}:.*no-restricted`).test(stdout));
    expect(found).toEqual(places);
  });
});

test('no answer is read by `json()`, whose errors quote it', async () => {
  const found: string[] = [];
  for (const root of ['cli', 'cdk', 'layers', 'lambdas', 'bin', 'local', 'lib']) {
    for (const entry of await readdir(join(CHECKOUT, root), { recursive: true })) {
      if (/(^|\/)node_modules(\/|$)/.test(entry) || !/\.m?ts$/.test(entry)) continue;
      const text = await readFile(join(CHECKOUT, root, entry), 'utf8');
      if (/\.json\(\)/.test(text)) found.push(`${root}/${entry}`);
    }
  }
  expect(found).toEqual([]);
});
