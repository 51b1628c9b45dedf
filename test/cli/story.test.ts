import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundlesOfThisRun } from '../support/aws/bundles.ts';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { type Service, startService } from '../../local/run/service.ts';
import { aMachineFor, type Said, type TestMachine } from '../support/cli/command-line.ts';
import { mailsAt } from '../support/oauth/people.ts';

const EMAIL = 'newcomer@example.com';
const PASSWORD = 'kestrel umbrella fog';

let dataFolder: string;
let service: Service;
let machine: TestMachine;
let description: string;
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-story-'));
  const limits = JSON.stringify({ free_requests_per_hour: 1000 });
  service = await startService({
    port: 0,
    dataFolder,
    settings: { LIMITS: limits },
    ...(await bundlesOfThisRun()),
  });
  machine = await aMachineFor();
  description = join(machine.folder, 'books.yaml');
  await writeFile(description, await readFile(SAMPLE_DESCRIPTION));
});
afterAll(async () => {
  await machine.remove();
  await service.close();
  await rm(dataFolder, { recursive: true });
});

/** Runs a command that is to go well; the base URL is the one that was used first. */
const hostedMcp = async (line: string, input?: string): Promise<Said> => {
  const said = await machine.run(line.split(' '), input === undefined ? {} : { input });
  if (said.code !== 0)
    throw new Error(`hosted-mcp ${line} ended with ${said.code}: ${said.errors}`);
  return said;
};

/** Each test is the next thing that a newcomer does. */
describe('a newcomer', () => {
  test('signs up and proves the e-mail address', async () => {
    await hostedMcp(`signup ${EMAIL} --url ${service.baseUrl}`);
    const [mail] = await mailsAt({ aws: service.aws, dataFolder });
    const said = await hostedMcp(`verify ${mail?.link} --password-stdin`, PASSWORD);

    expect(mail?.to).toBe(EMAIL);
    expect(said.out).toBe('The account is ready. Next: npx --no-install hosted-mcp login\n');
  });

  test('learns that a wrong password is wrong, and nothing else', async () => {
    const said = await machine.run(['login', EMAIL, '--password-stdin'], { input: 'wrong' });

    expect(said.code).toBe(1);
    expect(said.errors).toContain('The e-mail address or the password is wrong');
  });

  test('signs in; only its owner can read the stored token', async () => {
    const said = await hostedMcp(`login ${EMAIL} --password-stdin`, PASSWORD);

    expect(said.out).toBe(`Signed in at ${service.baseUrl} as ${EMAIL}, for 1 h.\n`);
    expect((await stat(machine.configFile)).mode & 0o777).toBe(0o600);
    expect(await readFile(machine.configFile, 'utf8')).not.toContain(PASSWORD);
  });

  test('looks at what would become of a description', async () => {
    const said = await hostedMcp(`check ${description}`);
    const { code, out } = await machine.run(['check', description, '--include', 'tag:none']);

    expect(said.out).toMatch(/\n\nIt can be published as [a-z-]+\.\n$/);
    expect([code, out]).toEqual([1, expect.stringContaining('"tag:none" names no operation')]);
  });

  test('opens the console in a browser, which asks before it signs in', async () => {
    const opened: string[] = [];
    const said = await machine.run(['open', 'my-books'], { browse: (url) => opened.push(url) });
    const [url = ''] = opened;
    const page = await (await fetch(url)).text();

    expect(said).toMatchObject({ code: 0, out: `${url}\n`, errors: 'Good once, for 1 min.\n' });
    expect(new URL(url).searchParams.get('return_to')).toBe('/v1/console/servers/my-books/tools');
    expect(page).toContain(`<bdi>${EMAIL}</bdi>`);
  });

  test('deploys a description', async () => {
    const said = await hostedMcp(
      `deploy ${description} --slug books --auth jwt --api-base ${service.sampleApiUrl}`,
    );

    expect(said.out).toMatch(/^MCP URL +http/m);
    expect(said.out).toContain(` ${service.baseUrl}/mcp-router/books/messages\n`);
    expect(said.errors).toContain('npx --no-install hosted-mcp config books --client claude-code');
  });

  test('gives it a key for hosts that it names, and hears which operations go elsewhere', async () => {
    const said = await hostedMcp(
      'credential set books --type bearer --origin https://A.example --origin https://b.example:444 --value-stdin',
      'sesame-0123456789\n',
    );

    expect(said.out).toContain(
      'It is sent to https://a.example, https://b.example:444 and to no other host.',
    );
    expect(said.errors).toContain('are refused, for the credential is not meant for this host');
  });

  test('gives it a key, which can never be read again', async () => {
    await hostedMcp(
      'credential set books --type api_key --name x-api-key --value-stdin',
      'sesame-0123456789\n',
    );
    const shown = await hostedMcp('credential show books');

    expect(shown.out).toMatch(
      /^Type {5}api_key\nName {5}x-api-key\nIn {7}header\nSent to {2}http:\/\/127\.0\.0\.1:\d+\nSet {6}20/,
    );
    expect(shown.out).not.toContain('sesame');
  });

  test('adds a resource and a prompt', async () => {
    await hostedMcp(
      'resource add books guide --uri docs://guide --mime-type text/markdown --file -',
      '# Guide\n',
    );
    await hostedMcp(
      'prompt add books suggest --file - --required genre=Which --argument tone',
      'Suggest a {{genre}} book{{#if tone}}, {{tone}}{{/if}}.',
    );
    const preview = await hostedMcp('prompt preview books suggest --arg genre=mystery');

    expect(preview.out).toBe('Suggest a mystery book.\n');
    expect((await hostedMcp('resource ls books')).out).toContain('docs://guide  text/markdown  8');
    expect((await hostedMcp('prompt ls books')).out).toContain('genre, tone?');
  });

  test('reads where a template does not parse', async () => {
    const args = ['prompt', 'add', 'books', 'broken', '--file', '-'];
    const said = await machine.run(args, { input: 'One\n{{#if x}}' });

    expect(said.code).toBe(1);
    expect(said.errors).toMatch(/line 2, column \d/);
  });

  test('lists the tools and calls one', async () => {
    const tools = await hostedMcp('tools books');
    const called = await hostedMcp('call books listBooks --arg genre=mystery --arg-json limit=1');

    expect(tools.out).toMatch(/^listBooks +GET +\/books/m);
    expect(called.errors).toContain(`GET ${service.sampleApiUrl}/books?genre=mystery&limit=1`);
    expect(JSON.parse(called.out)).toBeDefined();
    expect(called.out + called.errors).not.toContain('sesame');
  });

  test('ends with 1 where the tool fails, and with 4 where there is none', async () => {
    const wrong = await machine.run(['call', 'books', 'getBook']);
    const failed = await machine.run(['call', 'books', 'getBook', '--arg', 'book_id=999999']);
    const missing = await machine.run(['call', 'books', 'nope']);

    expect([wrong.code, failed.code, missing.code]).toEqual([1, 1, 4]);
    expect(wrong.errors).toContain('/book_id is required');
    expect(failed.out).toContain('404');
  });

  test('publishes a new version, reads the difference, and goes back', async () => {
    const changed = await hostedMcp(`deploy ${description} --slug books --exclude listBooks`);
    const back = await hostedMcp('rollback books 1');

    expect(changed.out).toMatch(
      /^books is at version 2\. Tools: 0 added, 1 removed, 0 changed\.\n/,
    );
    expect(changed.out).toContain('  - listBooks\n');
    expect(back.out).toContain('  + listBooks\n');
    expect((await hostedMcp('versions books')).out).toMatch(/^VERSION +SERVED/);
    expect((await machine.run(['rollback', 'books', '99'])).code).toBe(4);
  });

  test('hides a tool and shows it again', async () => {
    const hidden = await hostedMcp('tool set books listBooks --hide');
    const gone = await machine.run(['call', 'books', 'listBooks']);
    const shown = await hostedMcp('tool set books listBooks --show');

    expect(hidden.out).toContain('  - listBooks\n');
    expect(gone.code).toBe(4);
    expect(shown.out).toContain('  + listBooks\n');
  });

  test('sees what a description would change before it is published', async () => {
    const before = (await hostedMcp('show books --json')).json();
    const excluded = await hostedMcp(`diff books ${description} --exclude listBooks`);
    const same = await hostedMcp('diff books 1');
    const asJson = (await hostedMcp(`diff books ${description} --exclude listBooks --json`)).json();
    const refused = await machine.run(['diff', 'books', description, '--include', 'tag:none']);
    const unknown = [
      await machine.run(['diff', 'nope', description]),
      await machine.run(['diff', 'books', '99']),
    ];

    expect(excluded.out).toBe(
      'Tools: 0 added, 1 removed, 0 changed.\n  - listBooks\nCalls that worked before may fail now.\n',
    );
    expect(same.out).toBe('The tools stay as they are.\n');
    expect(asJson).toMatchObject({ difference: { removed: ['listBooks'], breaking: true } });
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('It cannot be')]);
    expect(unknown.map(({ code }) => code)).toEqual([4, 4]);
    expect((await hostedMcp('show books --json')).json()).toEqual(before);
  });

  test('changes nothing with a description that is bad', async () => {
    const bad = join(machine.folder, 'bad.yaml');
    await writeFile(bad, 'openapi: 3.1.0\ninfo: {title: x, version: "1"}\npaths: {}\n');
    const before = (await hostedMcp('show books --json')).json();
    const said = await machine.run(['deploy', bad, '--slug', 'books']);

    expect(said.code).toBe(1);
    expect(said.errors).toContain('operations');
    expect((await hostedMcp('show books --json')).json()).toEqual(before);
  });

  test('lets clients in with a token, and prints how each is connected', async () => {
    const { out: token } = await hostedMcp('token mint books --expires-in 1h --name laptop');
    const doctor = await hostedMcp(
      `doctor ${service.baseUrl}/mcp-router/books --token-stdin`,
      token,
    );
    const config = await hostedMcp('config books --client claude-code');

    expect(doctor.out).toContain('A client gets through all that was tried.');
    expect(config.out).toBe(
      `claude mcp add --transport http books ${service.baseUrl}/mcp-router/books/messages ` +
        '--header "Authorization: Bearer $MCP_TOKEN"\n',
    );
    const all = await hostedMcp('config books');
    expect(all.out).toContain(config.out);
    expect(all.out).toContain('codex mcp add books');
    expect(all.errors).toContain('ChatGPT takes no token');
    const refused = await machine.run(['config', 'books', '--client', 'chatgpt']);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.errors).toContain('ChatGPT takes no token');
    const unknown = await machine.run(['config', 'books', '--client', 'emacs']);
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.errors).toContain('--client must be one of claude-code, claude-desktop, cursor');
    expect((await hostedMcp('token ls books')).out).toMatch(/^laptop .* active$/m);
  });

  test('takes the token away', async () => {
    const { items } = (await hostedMcp('token ls books --json')).json();
    const [{ jti }] = items as [{ jti: string }];
    await hostedMcp(`token rm books ${jti}`);

    expect((await hostedMcp('token ls books')).out).toMatch(/^laptop .* revoked$/m);
  });

  test('names another issuer, and forgets it', async () => {
    await hostedMcp(
      'issuer set books --issuer https://id.example.com --jwks-uri https://id.example.com/jwks ' +
        '--audience books --algorithm ES256',
    );
    const shown = await hostedMcp('issuer show books');
    await hostedMcp('issuer rm books');

    expect(shown.out).toContain('Audience    books\n');
    expect((await machine.run(['issuer', 'show', 'books'])).code).toBe(4);
  });

  test('opens it to everybody, and sees that nobody has signed in', async () => {
    await hostedMcp('set books --auth oauth --allow example.com --allow ada@example.org');
    const { access } = (await hostedMcp('show books --json')).json();
    const grants = await hostedMcp('grants books');

    expect(access).toEqual({
      mode: 'allow_list',
      emails: ['ada@example.org'],
      domains: ['example.com'],
    });
    expect(grants.errors).toBe('Nobody has signed in to books yet.\n');
  });

  test('pauses it and opens it again', async () => {
    await hostedMcp('pause books');
    expect((await hostedMcp('ls')).out).toMatch(/^books +paused/m);

    await hostedMcp('resume books');
    expect((await hostedMcp('ls')).out).toMatch(/^books +active/m);
  });

  test('sees usage and activity', async () => {
    await service.invoke('tally', { tally: 'now' });
    const usage = await hostedMcp('usage');
    const logs = await hostedMcp('logs books --since 1h --json');

    expect(usage.out).toMatch(/^Plan +free$/m);
    expect(usage.out).toMatch(/^This hour +\d+ of 1000 requests/m);
    expect(logs.json()['items']).toContainEqual(
      expect.objectContaining({ type: 'tool_invocations', tool: 'listBooks' }),
    );
  });

  test('takes something ready from the gallery', async () => {
    const { items } = (await hostedMcp('gallery --json')).json();
    const [{ id }] = items as [{ id: string }];
    const said = await hostedMcp(`gallery deploy ${id} --slug ready-made`);

    expect(said.out).toContain('/mcp-router/ready-made/messages\n');
    await hostedMcp('rm ready-made --yes');
  });

  test('removes it all and signs out', async () => {
    await hostedMcp('prompt rm books suggest');
    await hostedMcp('resource rm books guide');
    await hostedMcp('credential rm books');
    await hostedMcp('rm books --yes');
    const list = await hostedMcp('ls');
    await hostedMcp('logout');

    expect(list.out).toBe('');
    expect((await machine.run(['ls'])).code).toBe(3);
  });

  test('is made an account and given a plan by an operator of this machine', async () => {
    const environment = { HOSTED_MCP_DATA: dataFolder };
    const operator = (line: string, input = '') =>
      machine.run(`admin ${line}`.split(' '), { environment, input });
    const made = await operator('account invited@example.com --mail');
    const mail = (await mailsAt({ aws: service.aws, dataFolder })).at(-1);
    await hostedMcp(`password set ${mail?.link} --password-stdin`, PASSWORD);
    const plan = await operator('plan invited@example.com pro');

    expect(made.out).toMatch(/^invited@example.com has an account now \(id [\w-]+, plan free\)/);
    expect(plan.out).toBe('invited@example.com is on the plan pro; 0 deployments followed.\n');
    await hostedMcp(`login invited@example.com --password-stdin`, PASSWORD);
    expect((await hostedMcp('usage')).out).toMatch(/^Plan +pro$/m);
  });

  test('gives out all that is known of a person', async () => {
    await hostedMcp(`login ${EMAIL} --password-stdin`, PASSWORD);
    expect((await hostedMcp('account set --name Ada')).out).toBe('Your name is Ada now.\n');
    const { items } = JSON.parse((await hostedMcp('account export')).out) as {
      readonly items: readonly {
        readonly path: string;
        readonly body?: { readonly email?: string };
      }[];
    };

    expect(items[0]).toMatchObject({ path: '/account', body: { email: EMAIL } });
    expect(items.at(-1)?.path).toBe('/sessions');
  });

  test('leaves nothing behind', async () => {
    await hostedMcp(`login ${EMAIL} --password-stdin`, PASSWORD);
    const refused = await machine.run(['account', 'rm']);
    expect(refused.errors).toContain(`pass --yes to remove the account ${EMAIL} permanently`);
    await hostedMcp('account rm --yes');
    const again = await machine.run(['login', EMAIL, '--password-stdin'], { input: PASSWORD });

    expect(again.code).toBe(1);
  });
});
