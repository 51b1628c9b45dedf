import { writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { PUBLICATION_CHOICES, SERVING_CHOICES } from '../../layers/deployments/rules/choices.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;
const DEPLOYMENTS = `${SERVICE}/mcp-management/deployments`;

let machine: TestMachine;
beforeAll(async () => {
  machine = await aMachineFor(SERVICE);
  const file = settingsFile({
    environment: { HOSTED_MCP_CONFIG: machine.configFile },
    home: machine.folder,
  });
  const session = { token: 't', email: 'ada@example.com', expiresAt: NOON + 1 };
  await accountsIn(file, { now: () => NOON }).keep(SERVICE, session);
  await writeFile(`${machine.folder}/api.yaml`, 'openapi: 3.1.0\n');
  await writeFile(`${machine.folder}/overrides.json`, '{"getX":{"hidden":true}}');
  await writeFile(`${machine.folder}/one.overlay.yaml`, 'overlay: 1.0.0');
  await writeFile(`${machine.folder}/list.json`, '[]');
});
afterAll(() => machine.remove());

/** The requests of a command at a service that has these deployments. */
const sentBy = async (args: readonly string[], known: readonly string[] = []) => {
  const sent: (readonly [method: string, url: string, body: unknown])[] = [];
  const said = await machine.run(
    args.map((text) => text.replace('FOLDER', machine.folder)),
    {
      now: NOON,
      fetch: async (url, { method = '', body, headers }) => {
        const packed = new Headers(headers).get('content-type') === 'application/gzip';
        const text = packed ? gunzipSync(body as Uint8Array).toString() : body;
        sent.push([method, url, typeof text === 'string' ? JSON.parse(text) : undefined]);
        const isThere = method !== 'GET' || known.some((slug) => url.endsWith(`/${slug}`));
        const answer = isThere ? { slug: 'books' } : { code: 'not_found', detail: 'Nothing.' };
        return new Response(JSON.stringify(answer), { status: isThere ? 200 : 404 });
      },
    },
  );
  return { ...said, sent };
};

describe('deploying', () => {
  test('sends the text of a file, packed', async () => {
    const { sent } = await sentBy(['deploy', 'FOLDER/api.yaml']);

    expect(sent[0]).toEqual(['POST', DEPLOYMENTS, { openapi: 'openapi: 3.1.0\n' }]);
  });

  test('leaves a URL to the service', async () => {
    const { sent } = await sentBy(['deploy', 'https://example.com/api.json', '--slug', 'books']);

    expect(sent.findLast(([method]) => method === 'POST')).toEqual([
      'POST',
      DEPLOYMENTS,
      { slug: 'books', openapi_url: 'https://example.com/api.json' },
    ]);
  });

  test('makes a new version of a deployment that is there', async () => {
    const { sent } = await sentBy(['deploy', 'FOLDER/api.yaml', '--slug', 'books'], ['books']);

    expect(sent.at(-1)).toEqual([
      'PUT',
      `${DEPLOYMENTS}/books/openapi`,
      { openapi: 'openapi: 3.1.0\n' },
    ]);
  });

  test('changes what is chosen in the same step', async () => {
    const args = ['deploy', 'FOLDER/api.yaml', '--slug', 'books', '--include', 'tag:a'];
    const { sent } = await sentBy(args, ['books']);

    expect(sent.at(-1)).toEqual([
      'PATCH',
      `${DEPLOYMENTS}/books`,
      { openapi: 'openapi: 3.1.0\n', operations: { include: ['tag:a'], exclude: [] } },
    ]);
  });

  test('ends where the file cannot be read', async () => {
    const { sent, code, errors } = await sentBy(['deploy', 'FOLDER/none.yaml']);

    expect(sent).toEqual([]);
    expect(code).toBe(1);
    expect(errors).toContain('none.yaml cannot be read: no such file or directory.');
  });
});

describe('choosing', () => {
  test.each<[string, object]>([
    ['--name Books --auth none', { name: 'Books', mcp_auth_method: 'none' }],
    ['--access any_user', { access: { mode: 'any_user' } }],
    [
      '--allow a@b.c --allow @d.e --allow f.g',
      { access: { mode: 'allow_list', emails: ['a@b.c'], domains: ['d.e', 'f.g'] } },
    ],
    ['--api-base https://x.example', { api_base_url: 'https://x.example' }],
    ['--server-variable region=eu=1', { server_variables: { region: 'eu=1' } }],
    ['--exclude getX', { operations: { include: [], exclude: ['getX'] } }],
    ['--tool-mode search', { tool_mode: 'search' }],
    ['--overrides FOLDER/overrides.json', { overrides: { getX: { hidden: true } } }],
    [
      '--overlay FOLDER/one.overlay.yaml --overlay FOLDER/list.json',
      { overlays: ['overlay: 1.0.0', '[]'] },
    ],
    [
      '--overlay https://x.example/a.yaml --overlay FOLDER/list.json',
      { overlays: [{ url: 'https://x.example/a.yaml' }, '[]'] },
    ],
    ['--no-overlays', { overlays: null }],
    [
      '--request-header X-Tenant:acme --request-header X-At:1:2',
      { request_headers: { 'X-Tenant': 'acme', 'X-At': '1:2' } },
    ],
    ['--no-request-headers', { request_headers: {} }],
    ['--no-certificate-authorities', { certificate_authorities: [] }],
    ['--docs public', { docs: 'public' }],
    ['--trace-context forwarded', { trace_context: 'forwarded' }],
    ['--allowed-origin https://x.example', { allowed_origins: ['https://x.example'] }],
    ['--instructions Ask! --description Pets', { instructions: 'Ask!', description: 'Pets' }],
    ['--website https://x.example', { website_url: 'https://x.example' }],
    ['--instructions= --website=', { instructions: null, website_url: null }],
  ])('hosted-mcp set books %s', async (options, body) => {
    const { sent } = await sentBy(['set', 'books', ...options.split(' ')], ['books']);

    const changes = sent.filter(([, url]) => !url.endsWith('/descriptions'));
    expect(changes.slice(1)).toEqual([['PATCH', `${DEPLOYMENTS}/books`, body]]);
  });

  test.each([
    ['', 'Nothing to change: pass at least one option.'],
    ['--auth basic', '--auth must be one of oauth, jwt, none, not "basic".'],
    ['--tool-mode all', '--tool-mode must be one of operations, search, not "all".'],
    ['--trace-context on', '--trace-context must be one of withheld, forwarded, not "on".'],
    ['--access me', '--access must be one of owner, any_user, not "me".'],
    ['--access owner --allow a@b.c', '--access and --allow exclude each other.'],
    ['--overrides FOLDER/list.json', '--overrides must hold a JSON object.'],
    ['--overlay FOLDER/list.json --no-overlays', '--overlay and --no-overlays exclude each other.'],
    ['--request-header acme', '--request-header must be "NAME: TEXT".'],
    [
      '--request-header A:b --no-request-headers',
      '--request-header and --no-request-headers exclude each other.',
    ],
    ['--server-variable region', '--server-variable needs NAME=VALUE'],
  ])('%j is refused', async (options, why) => {
    const { sent, code, errors } = await sentBy([
      'set',
      'books',
      ...options.split(' ').filter(Boolean),
    ]);

    expect({ sent, code }).toEqual({ sent: [], code: 2 });
    expect(errors).toContain(why);
  });
});

/** `--docs protected` and what it is in a request, for each value of each choice that the service offers. */
const CHOICES = Object.entries({ ...PUBLICATION_CHOICES, ...SERVING_CHOICES }).flatMap(
  ([name, choice]) => {
    const inWire = (mark: string) =>
      name.replace(/[A-Z]/g, (letter) => `${mark}${letter.toLowerCase()}`);
    // What is counted in tokens is a shorter word here.
    const option = inWire('-').replace(/^(?:tool|answer)-token-/, (words) =>
      words.startsWith('tool') ? 'token-' : 'answer-',
    );
    const values = 'values' in choice ? choice.values : [choice.range[0]];
    return values.map((value) => [`--${option} ${value}`, { [inWire('_')]: value }] as const);
  },
);

describe('a choice that the service offers', () => {
  test.each(CHOICES)('is the option %s', async (option, body) => {
    const { sent } = await sentBy(['set', 'books', ...option.split(' ')], ['books']);

    expect(sent.at(-1)).toEqual(['PATCH', `${DEPLOYMENTS}/books`, body]);
  });
});
