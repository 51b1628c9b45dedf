import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type Situation, type TestMachine } from '../support/cli/command-line.ts';
import { anHttpServer } from '../support/target/target-server.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const operation = (operationId: string) => ({
  operationId,
  responses: { 200: { description: 'Done.' } },
});
const description = (methods: Readonly<Record<string, string>>, title = 'Books') =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/books': Object.fromEntries(
        Object.entries(methods).map(([method, id]) => [method, operation(id)]),
      ),
    },
  });
const READS = description({ get: 'listBooks' });
const WRITES = description({ get: 'listBooks', delete: 'removeBooks' });

let service: WholeService;
let machine: TestMachine;
let owner: SignedIn;
let files: Readonly<Record<'READS' | 'WRITES' | 'SHOWN', string>>;
beforeAll(async () => {
  service = await startWholeService({ active_deployments_per_user: 1000 });
  machine = await aMachineFor(service.baseUrl);
  owner = await signedIn(service);
  files = {
    READS: join(machine.folder, 'reads.json'),
    WRITES: join(machine.folder, 'writes.json'),
    SHOWN: join(machine.folder, 'shown.json'),
  };
  await writeFile(files.READS, READS);
  await writeFile(files.WRITES, WRITES);
  await writeFile(files.SHOWN, '{"removeBooks":{"hidden":false}}');
  const { email, password } = owner.person;
  await machine.run(['login', email, '--password-stdin'], { input: password });
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
});

const published = async (openapi: string, over: object = {}): Promise<string> => {
  const { status, body } = await owner.send('POST', '/deployments', { openapi, ...over });
  expect(status).toBe(201);
  return String(body['slug']);
};

const CREDENTIAL = { type: 'bearer', token: 'aeT3zah9Ohsh7Ien5uyo' };

const run = (line: string, situation: Situation = {}) =>
  machine.run(
    line.split(' ').map((word) => files[word as keyof typeof files] ?? word),
    situation,
  );

const stateOf = async (slug: string) => (await owner.send('GET', `/deployments/${slug}`)).body;

/** Each that opens a deployment, how it was before, and what strangers could do. */
const openings: readonly [
  line: string,
  before: { readonly openapi?: string; readonly over?: object; readonly credential?: true },
  what: string,
][] = [
  [
    'set SLUG --auth none',
    { openapi: WRITES },
    'Anybody on the internet could call 2 tools, 1 of which changes something.',
  ],
  [
    'set SLUG --auth none',
    { credential: true },
    'Anybody on the internet could call 1 tool, with its credential.',
  ],
  [
    'set SLUG --access any_user',
    { credential: true },
    'Everybody with an account here could call 1 tool, with its credential.',
  ],
  [
    'set SLUG --allow gmail.com',
    {},
    'Anybody can have an address of gmail.com, which gives them to everybody.',
  ],
  [
    'deploy WRITES --slug SLUG',
    { over: { mcp_auth_method: 'none' } },
    'Anybody on the internet could call 2 tools, 1 of which changes something.',
  ],
  [
    'deploy WRITES --slug SLUG --auth none',
    {},
    'Anybody on the internet could call 2 tools, 1 of which changes something.',
  ],
  [
    'set SLUG --overrides SHOWN',
    {
      openapi: WRITES,
      over: { mcp_auth_method: 'none', overrides: { removeBooks: { hidden: true } } },
    },
    'Anybody on the internet could call 2 tools, 1 of which changes something.',
  ],
  [
    'credential set SLUG --type bearer --value-stdin',
    { over: { mcp_auth_method: 'none' } },
    'Anybody on the internet could call 1 tool, with its credential.',
  ],
];

describe('opening a deployment to people whom its owner cannot know', () => {
  test.each(openings)('hosted-mcp %s, of %j', async (line, before, what) => {
    const slug = await published(before.openapi ?? READS, before.over);
    if (before.credential) {
      await owner.send('PUT', `/deployments/${slug}/credential`, CREDENTIAL);
    }
    const state = await stateOf(slug);
    const typed = line.replace('SLUG', slug);
    const input = CREDENTIAL.token;

    const refused = await run(typed, { input });
    expect(refused).toMatchObject({
      code: 2,
      errors: expect.stringContaining(`${what} Not a terminal: pass --yes to confirm.`),
    });
    expect(await stateOf(slug)).toEqual(state);

    if (!line.includes('stdin')) {
      const no = await run(typed, { typed: ['n'] });
      expect(no).toMatchObject({ code: 2, errors: expect.stringContaining('Nothing was changed') });
      expect(await stateOf(slug)).toEqual(state);
      const yes = await run(typed, { typed: ['y'] });
      expect(yes).toMatchObject({ code: 0, errors: expect.stringContaining('Go on? [y/N]') });
      expect(await stateOf(slug)).not.toEqual(state);
      return;
    }
    expect((await run(`${typed} --yes`, { input })).code).toBe(0);
    expect(await stateOf(slug)).not.toEqual(state);
  });

  test('is asked about where one is made, and --yes is an answer', async () => {
    const refused = await run('deploy WRITES --slug made-open --auth none');
    expect(refused).toMatchObject({
      code: 2,
      errors: expect.stringContaining('2 tools, 1 of which changes something. Not a terminal'),
    });
    expect((await owner.send('GET', '/deployments/made-open')).status).toBe(404);

    const made = await run('deploy WRITES --slug made-open --auth none --yes');
    expect(made.code).toBe(0);
    expect(await stateOf('made-open')).toMatchObject({ mcp_auth_method: 'none' });
  });

  test.each<[string, string, string]>([
    ['deploy URL --slug SLUG --auth none', READS, 'a new server'],
    ['deploy URL --slug SLUG --auth none --hide-secret-tools --yes', READS, 'with what is hidden'],
    ['deploy URL --slug SLUG --auth none', WRITES, 'a next version'],
  ])('publishes what was confirmed, or nothing: %s', async (line, first, which) => {
    let said = [first, description({ post: 'wipeBooks' })];
    await using api = await anHttpServer((_, response) => {
      response.end(said.length > 1 ? said.shift() : said[0]);
    });
    const slug =
      which === 'a next version' ? await published(READS) : `looked-${randomUUID().slice(0, 8)}`;
    const state = await stateOf(slug);
    const typed = line.replace('SLUG', slug).replace('URL', `${api.url}/openapi.json`);

    const refused = await run(typed, { typed: ['y'] });

    expect(refused.code).not.toBe(0);
    expect(refused.errors).toContain('says something else than when it was looked at');
    expect(refused.errors).toContain('Nothing was changed. Look again');
    expect(await stateOf(slug)).toEqual(state);

    said = [first];
    expect((await run(typed, { typed: ['y'] })).code).toBe(0);
    expect(await stateOf(slug)).not.toEqual(state);
  });

  test('is asked about of the gallery too', async () => {
    const line = 'gallery deploy open-meteo --slug weather --allow gmail.com';
    expect((await run(line)).code).toBe(2);
    expect((await owner.send('GET', '/deployments/weather')).status).toBe(404);
    expect((await run(`${line} --yes`)).code).toBe(0);
  });

  test('is not asked about where strangers could do no more', async () => {
    expect((await run('deploy READS --slug read-alone --auth none')).code).toBe(0);
    expect((await run('set read-alone --name Readers')).code).toBe(0);
    expect((await run('set read-alone --auth oauth --allow example.org')).code).toBe(0);
    expect((await run('deploy WRITES --slug read-alone')).code).toBe(0);
  });

  test('is told by hosted-mcp check, which publishes nothing', async () => {
    const { code, errors } = await run('check WRITES --auth none');

    expect(code).toBe(0);
    expect(errors).toContain('anybody on the internet could call 2 tools');
  });

  test('needs no confirmation over the API', async () => {
    const slug = await published(WRITES);
    const { status } = await owner.send('PATCH', `/deployments/${slug}`, {
      mcp_auth_method: 'none',
    });

    expect(status).toBe(200);
  });
});

describe('an allow list on the command line', () => {
  test('is shown entry by entry, with what each means', async () => {
    const slug = await published(READS);
    const { out } = await run(`set ${slug} --allow Ada@example.com --allow @example.org`);

    expect(out).toContain('ada@example.com: this address\n');
    expect(out).toContain('example.org: everybody with an address of it, not of its subdomains\n');
  });

  test.each([
    ['Bob Smith <bob@gmail.com>', 'without name, spaces and brackets'],
    ['bob example.org', 'is no domain'],
    ['not an address!!', 'is no domain'],
    ['*@example.org', 'for everybody there write the domain'],
    ['bob@gmail', 'is no domain'],
    ['example..org', 'is no domain'],
  ])('refuses %s, and names the option', async (entry, hint) => {
    const slug = await published(READS);
    const allowed = ['--allow', 'ada@example.com', '--allow', entry];
    const { code, errors } = await machine.run(['set', slug, ...allowed]);

    expect(code).toBe(1);
    expect(errors).toContain(`at --allow ${entry}: `);
    expect(errors).toContain(hint);
    expect(await stateOf(slug)).toMatchObject({ access: { mode: 'owner' } });
  });
});
