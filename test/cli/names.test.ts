import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { aRawClient } from '../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { COMPILE_CACHE } from '../support/run/compile-cache.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

let service: WholeService;
let machine: TestMachine;
let server: PublishedServer;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  service = await startWholeService();
  machine = await aMachineFor(service.baseUrl);
  const owner = await service.person();
  [ada, bob] = [await service.person(), await service.person()];
  server = await service.publish(owner);
  const input = owner.password;
  await machine.run(['login', owner.email, '--password-stdin'], { input });

  const [editor, chat] = [
    await aRawClient(service, 'none', 'Some editor'),
    await aRawClient(service, 'none', 'Some chat'),
  ];
  const { access_token: token } = await editor.tokens(service.browser(), ada, server);
  await chat.tokens(service.browser(), ada, server);
  await chat.tokens(service.browser(), bob, server);
  const called = await service.fetch(server.messagesUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'listBooks', arguments: {} },
    }),
  });
  expect(called.status).toBe(200);
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
});

const hostedMcp = (...args: readonly string[]) => machine.run(args);
const grants = async () =>
  (await hostedMcp('grants', server.slug, '--json')).json()['items'] as readonly {
    readonly id: string;
    readonly client_id: string;
    readonly client_name: string;
    readonly email: string;
  }[];

/** What comes to the records a moment later. */
const until = async (look: () => Promise<string>, wanted: string): Promise<string> => {
  for (let tries = 0; ; tries += 1) {
    const text = await look();
    if (text.includes(wanted) || tries === 100) return text;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

describe('names in place of ids', () => {
  test('stand in the table of grants', async () => {
    const { out } = await hostedMcp('grants', server.slug);
    expect(out).toMatch(/^USER +CLIENT +SCOPE/);
    expect(out).toContain(`${ada.email}  Some editor  `);
    expect(out.replaceAll(ada.email, '').replaceAll(bob.email, '')).not.toMatch(UUID);
  });

  test('stand in calls, and choose among them', async () => {
    const calls = (...args: readonly string[]) =>
      hostedMcp('logs', server.slug, '--calls', ...args);
    const all = await until(async () => (await calls()).out, 'listBooks');
    expect(all).toContain(`  ${ada.email} by Some editor from `);
    expect((await calls('--client', 'Some editor')).out).toBe(all);
    expect((await calls('--client', 'Some chat')).out).toBe('');
    const [call] = (await calls('--json')).json()['items'] as [{ client_id: string }];
    expect(call.client_id).toMatch(/^mcp_/);
  });

  test('stand in what happened', async () => {
    const logs = async () => (await hostedMcp('logs', server.slug, '--type', 'security')).out;
    const said = await until(logs, ada.email);
    expect(said).toContain(`event=access_granted user=${ada.email} client="Some editor"`);
    const [event] = (await hostedMcp('logs', server.slug, '--type', 'security', '--json')).json()[
      'items'
    ] as [Record<string, string>];
    expect(event['subject']).toMatch(UUID);
  });

  test('command no terminal', async () => {
    const evil = {
      id: 'g',
      email: 'a@b.example',
      client_name: '\u001b[31mRed',
      client_id: 'mcp_1',
    };
    const { out } = await machine.run(['grants', server.slug], {
      fetch: async () => Response.json({ items: [evil] }),
    });
    expect(out).toContain('\uFFFD[31mRed');
    expect(out).not.toContain('\u001b');
  });
});

describe('a name that a server does not have', () => {
  test.each([
    ['call SLUG listBok', 'Did you mean listBooks? npx --no-install hosted-mcp tools SLUG lists'],
    ['tool set SLUG getBok --title x', 'Did you mean getBook? npx --no-install hosted-mcp tools'],
    ['openapi SLUG --version 99', 'npx --no-install hosted-mcp versions SLUG lists'],
    ['diff SLUG 1 99', 'npx --no-install hosted-mcp versions SLUG lists'],
  ])('is answered with what there is: %s', async (line, hint) => {
    const [args, expected] = [line, hint].map((text) => text.replace('SLUG', server.slug));

    const { code, errors } = await machine.run((args ?? '').split(' '));

    expect(code).toBe(4);
    expect(errors).toContain(expected);
  });
});

describe('grants rm', () => {
  const remove = (...args: readonly string[]) => hostedMcp('grants', 'rm', server.slug, ...args);

  test('of what there is not names the nearest', async () => {
    const said = await remove('nobody@example.com');
    expect(said).toMatchObject({ code: 4, out: '' });
    expect(said.errors).toContain(
      'There is no grant "nobody@example.com".\nnpx --no-install hosted-mcp grants ',
    );
    const near = await remove('Some chet');
    expect(near.errors).toContain('Did you mean "Some chat"? npx --no-install hosted-mcp grants ');
    expect(await grants()).toHaveLength(3);
  });

  test('lists the choice where a name is of several, and removes none', async () => {
    const said = await remove(ada.email);
    expect(said).toMatchObject({ code: 2, out: '' });
    for (const { id, client_name: client, email } of await grants()) {
      const line = `  ${id}: ${client} of ${email}, created `;
      if (email === ada.email) expect(said.errors).toContain(line);
      else expect(said.errors).not.toContain(id);
    }
    expect(await remove('Some chat')).toMatchObject({ code: 2 });
    expect(await remove(bob.email, '--client', 'Some editor')).toMatchObject({ code: 4 });
    expect(await grants()).toHaveLength(3);
  });

  test('takes an address, an address and a client, and ids, also of one that has ended', async () => {
    const [id] = (await grants()).filter(({ email }) => email === bob.email).map((one) => one.id);
    const removed = await remove(bob.email, '--json');
    expect(removed.json()).toEqual({ removed: id });
    expect(await remove(String(id))).toMatchObject({ code: 0 });

    expect(await remove(ada.email, '--client', 'Some chat')).toMatchObject({ code: 0 });
    const left = await grants();
    expect(left).toMatchObject([{ email: ada.email, client_name: 'Some editor' }]);
    expect(await remove(left[0]?.id ?? '')).toMatchObject({ code: 0 });
    expect(await grants()).toEqual([]);
  });
});

describe('token rm', () => {
  test('takes a name of one token, lists those of several, and takes ids', async () => {
    await hostedMcp('set', server.slug, '--auth', 'jwt');
    const mint = async (...args: readonly string[]) =>
      String((await hostedMcp('token', 'mint', server.slug, '--json', ...args)).json()['jti']);
    const remove = (word: string) => hostedMcp('token', 'rm', server.slug, word, '--json');
    const [one, other] = [await mint('--name', 'ci'), await mint('--name', 'ci')];
    const laptop = await mint('--name', 'laptop');
    const nameless = await mint();

    const listed = await hostedMcp('token', 'ls', server.slug);
    expect(listed.out).toMatch(/^NAME +ID +SCOPE/);
    expect(listed.out).not.toContain(laptop);
    expect(listed.out).toMatch(new RegExp(`^- +${nameless}`, 'm'));

    const said = await remove('ci');
    expect(said).toMatchObject({ code: 2 });
    expect(said.out).toContain(one);
    expect(said.out).toContain(other);
    expect(said.out).not.toContain(laptop);
    expect((await remove('laptpo')).json()).toMatchObject({
      error: { code: 'not_found', hint: expect.stringContaining('Did you mean "laptop"?') },
    });

    expect((await remove('laptop')).json()).toEqual({ removed: laptop });
    expect((await remove(one)).json()).toEqual({ removed: one });
    // One that has ended leaves its name to the other.
    expect((await remove('ci')).json()).toEqual({ removed: other });
    expect((await remove(nameless)).json()).toEqual({ removed: nameless });
    expect((await hostedMcp('token', 'ls', server.slug)).out).toMatch(/^NAME +SCOPE/);
  });
});

describe('times', () => {
  const PROGRAM = new URL('../../bin/hosted-mcp.mjs', import.meta.url).pathname;

  test.each([
    ['Asia/Kathmandu', '2096-10-02 12:51:40'],
    ['America/New_York', '2096-10-02 03:06:40'],
    ['UTC', '2096-10-02 07:06:40'],
  ])('are those of the machine: in %s %s', async (zone, time) => {
    const settings = `${machine.folder}/times.json`;
    const session = { token: 't', email: 'a@b.example', expiresAt: 4_000_000_000 };
    await writeFile(
      settings,
      JSON.stringify({ profiles: { far: { url: service.baseUrl, session } } }),
    );
    const env = {
      PATH: process.env['PATH'],
      HOSTED_MCP_CONFIG: settings,
      TZ: zone,
      ...COMPILE_CACHE,
    };
    const said = (...more: readonly string[]) =>
      spawnSync(process.execPath, [PROGRAM, 'profile', 'ls', ...more], { env, encoding: 'utf8' });

    expect(said().stdout).toContain(`until ${time}\n`);
    expect(said('--json').stdout).toContain('"2096-10-02T07:06:40.000Z"');
  });
});
