import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../support/service/management.ts';
import { served } from '../support/service/served.ts';
import { COMPILE_CACHE } from '../support/run/compile-cache.ts';

const CANARY = 'canary4711secret';
const PROGRAM = new URL('../../bin/hosted-mcp.ts', import.meta.url).pathname;

let service: TestManagement;
let port: Awaited<ReturnType<typeof served>>;
let owner: Owner;
let machine: TestMachine;
let folder: string;
beforeAll(async () => {
  service = await aManagementService();
  port = await served(service);
  owner = await service.owner({ plan: 'pro' });
  machine = await aMachineFor(port.baseUrl);
  ({ folder } = machine);
  await written('api.json', JSON.stringify(aDescription()));
});
afterAll(async () => {
  await port.stop();
  await service.stop();
  await machine.remove();
});

/** Absolute, since the program runs in another folder here. */
const at = (name: string): string => join(folder, name);
const written = (name: string, text: string): Promise<void> => writeFile(at(name), text);

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** The program as a pipeline starts it, in a process of its own: what Node itself prints is part of it. */
const hostedMcp = (
  line: readonly string[],
  { input = '', ...environment }: { readonly input?: string; readonly [name: string]: string } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', PROGRAM, ...line], {
      cwd: folder,
      env: {
        HOME: folder,
        HOSTED_MCP_CONFIG: join(folder, 'config.json'),
        HOSTED_MCP_URL: port.baseUrl,
        HOSTED_MCP_TOKEN: owner.token,
        ...COMPILE_CACHE,
        ...environment,
      },
    });
    const said = { out: '', errors: '' };
    child.stdout.on('data', (chunk) => (said.out += chunk));
    child.stderr.on('data', (chunk) => (said.errors += chunk));
    child.stdin.on('error', () => undefined);
    // A program may end before it reads: then the pipe is closed, and its result tells.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', (code) => resolve({ code, ...said }));
  });

/** As a person and as a program reads it: neither is shown the secret, and both are told what is wrong. */
const refused = async (
  line: readonly string[],
  what: RegExp,
  { input = '', ...environment }: Parameters<typeof hostedMcp>[1] = {},
): Promise<void> => {
  for (const mode of [[], ['--json']]) {
    const said = await machine.run([...line, ...mode], {
      input,
      environment: { HOSTED_MCP_TOKEN: owner.token, ...environment },
    });
    expect(`${said.out}${said.errors}`).not.toContain(CANARY);
    if (mode.length === 0) expect(said.errors).toMatch(what);
    else expect(said.out).toContain('"error": {');
    expect([1, 2]).toContain(said.code);
  }
};

/** @param credential - `main` of the one server, in YAML */
const declaring = async (credential: string): Promise<string> => {
  await written(
    'servers.yaml',
    `version: 1
servers:
  orders-canary:
    openapi: api.json
    credentials:
      main: ${credential}
`,
  );
  return at('servers.yaml');
};

const OAUTH =
  'type: oauth_client, token_url: "https://login.example.com/token", client_id: orders, client_auth: private_key_jwt';
const KEYS: readonly (readonly [string, string, RegExp])[] = [
  ['with a comma too many', `{"kty":"EC","crv":"P-256","d":"${CANARY}",}`, /line 1, column \d+/],
  ['without quotes', `{"kty":"EC","d":${CANARY}}`, /no JSON/],
  ['that breaks off', `{"kty":"EC","d":"${CANARY}`, /no JSON \(line 1, column \d+\)/],
  ['that is a text', `"${CANARY}"`, /JSON, but no object/],
];

describe('a private key as JWK', () => {
  test('with a comma too many is not shown by Node, either', async () => {
    await declaring(`{ ${OAUTH}, private_jwk: { env: ORDERS_KEY } }`);
    const [, ORDERS_KEY] = KEYS[0]!;
    const ended = await Promise.all(
      [[], ['--json']].map((mode) => hostedMcp(['apply', '--yes', ...mode], { ORDERS_KEY })),
    );
    expect(JSON.stringify(ended)).not.toContain(CANARY);
    expect(ended.map(({ code }) => code)).toEqual([1, 1]);
    expect(ended[0]?.errors).toContain('ORDERS_KEY: it is no JSON (line 1, column ');
  });

  test.each(KEYS)('%s is not shown by apply, from a variable', async (_, ORDERS_KEY, what) => {
    const file = await declaring(`{ ${OAUTH}, private_jwk: { env: ORDERS_KEY } }`);
    const environment = { ORDERS_KEY };
    await refused(
      ['apply', '--yes', '--file', file],
      /servers\.yaml:6:\d+: ORDERS_KEY: it is/,
      environment,
    );
    await refused(['apply', '--yes', '--file', file], what, environment);
  });

  test.each(KEYS)('%s is not shown by apply, from a file', async (_, key, what) => {
    const file = await declaring(`{ ${OAUTH}, private_jwk: { file: key.json } }`);
    await written('key.json', `${key}\n`);
    await refused(['apply', '--yes', '--file', file], what);
  });

  test.each(KEYS)('%s is not shown by credential set', async (_, input, what) => {
    const client = ['--token-url', 'https://login.example.com/token', '--client-id', 'orders'];
    const line = ['credential', 'set', 'orders-canary', '--type', 'oauth_client', ...client];
    const typed = [...line, '--client-auth', 'private_key_jwt', '--value-stdin'];
    await refused(typed, what, { input });
  });
});

test('a recipe of signatures that is no JSON is not shown', async () => {
  await written('recipe.json', `{"header":"X-Signature", ${CANARY}}`);
  const line = ['credential', 'set', 'orders-canary', '--type', 'hmac', '--value-stdin'];
  await refused([...line, '--recipe-file', at('recipe.json')], /recipe\.json cannot be used/, {
    input: 'secret',
  });
});

test('a private key in PEM that cannot be read is not shown', async () => {
  const file = await declaring(
    '{ type: mutual_tls, certificate: { env: CERT }, private_key: { env: KEY } }',
  );
  await refused(['apply', '--yes', '--file', file], /certificate|refused/i, {
    CERT: `-----BEGIN CERTIFICATE-----\n${CANARY}\n-----END CERTIFICATE-----`,
    KEY: `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----`,
  });
});

describe('a secret that stands in a declaration all the same', () => {
  test.each([
    ['as an alias', `*${CANARY}`, /:6:\d+: an alias/],
    ['behind a mark of a block', `|${CANARY}`, /:6:\d+: /],
    ['in quotes with an escape', `"${CANARY}\\y${CANARY}"`, /:6:\d+: an escape/],
    ['in quotes that do not end', `"${CANARY}`, /: a character is missing/],
    ['with a reserved beginning', `@${CANARY}`, /:6:\d+: a text that begins with a character/],
    ['beside another', `"a" ${CANARY}`, /:6:\d+: /],
    ['plainly', CANARY, /a secret in the file/],
  ])('is not shown where it stands %s', async (_, secret, what) => {
    const file = await declaring(
      secret.startsWith('|') ? secret : `\n        type: bearer\n        token: ${secret}`,
    );
    const where = secret.startsWith('|') ? what : new RegExp(what.source.replace(':6:', ':8:'));
    await refused(['plan', '--file', file], where);
  });

  test('is not shown of a file of overrides, either', async () => {
    const text =
      'version: 1\nservers:\n  orders-canary: { openapi: api.json, overrides: { file: o.yaml } }\n';
    const file = at('servers.yaml');
    await written('servers.yaml', text);
    await written('o.yaml', `getPet: *${CANARY}\n`);
    await refused(['plan', '--file', file], /no YAML and no JSON: an alias.* at 1:9/);
  });
});

describe('what cannot be sent in a header', () => {
  test('is not shown of a token in a variable', async () => {
    const HOSTED_MCP_TOKEN = `{\n  "token": "${CANARY}"\n}`;
    await refused(['ls'], /The header authorization cannot be sent/, { HOSTED_MCP_TOKEN });
  });

  test("is not shown of a model's key", async () => {
    await written(
      'cases.yaml',
      'version: 1\nserver: orders-canary\ncases: [{ wish: Which pets are there, tool: listPets }]\n',
    );
    const line = ['eval', at('cases.yaml'), '--openapi', at('api.json'), '--model', 'openai/gpt-5'];
    const OPENAI_API_KEY = `one\n${CANARY}`;
    const typed = [...line, '--model-url', 'http://127.0.0.1:9'];
    await refused(typed, /The header authorization cannot be sent/, { OPENAI_API_KEY });
  });
});
