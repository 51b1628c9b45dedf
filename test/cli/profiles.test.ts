import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const OTHER = 'https://other.example.com/v1';

let service: WholeService;
let people: readonly Person[];
beforeAll(async () => {
  service = await startWholeService();
  people = [await service.person(), await service.person()];
});
afterAll(() => service.stop());

let machine: TestMachine;
beforeEach(async () => {
  machine = await aMachineFor();
});
afterEach(() => machine.remove());

/** A service that answers every request with the same, and what was sent to it. */
const answering = (body: object) => {
  const sent: { readonly url: string; readonly authorization: string | null }[] = [];
  return {
    sent,
    fetch: async (url: string, { headers }: RequestInit) => {
      sent.push({ url, authorization: new Headers(headers).get('authorization') });
      return Response.json(body);
    },
  };
};

const SESSION = { access_token: 'OTHERS', expires_in: 3600 };

const logIn = async (name: string, person: Person) =>
  machine.run(
    ['login', person.email, '--password-stdin', '--profile', name, '--url', service.baseUrl],
    { input: person.password },
  );

/** A login elsewhere, which needs no service. */
const logInAt = async (...place: readonly string[]) =>
  machine.run(['login', 'ada@example.com', '--password-stdin', ...place], {
    input: 'kestrel umbrella fog',
    fetch: answering(SESSION).fetch,
  });

const emailOf = async (...args: readonly string[]) =>
  (await machine.run(['usage', '--json', ...args])).json()['email'];

const stored = async () => JSON.parse(await readFile(machine.configFile, 'utf8'));

describe('a profile', () => {
  test('is made by a login, and each has a session of its own at the same service', async () => {
    const [ada, bob] = people as [Person, Person];
    expect(await logIn('work', ada)).toMatchObject({
      code: 0,
      out: `Signed in at ${service.baseUrl} as ${ada.email}, for 1 h.\n`,
      errors: 'Commands go there, with the profile work.\n',
    });
    await logIn('home', bob);

    expect(await emailOf('--profile', 'work')).toBe(ada.email);
    expect(await emailOf('--profile', 'home')).toBe(bob.email);
    expect(await emailOf()).toBe(bob.email);
    expect((await stat(machine.configFile)).mode & 0o777).toBe(0o600);
  });

  test('is chosen by the environment, over which the command line wins', async () => {
    const [ada, bob] = people as [Person, Person];
    await logIn('work', ada);
    await logIn('home', bob);
    const environment = { HOSTED_MCP_PROFILE: 'work', HOSTED_MCP_URL: '' };
    const at = async (...args: readonly string[]) =>
      (await machine.run(['usage', '--json', ...args], { environment })).json();

    expect(await at()).toMatchObject({ email: ada.email });
    expect(await at('--profile', 'home')).toMatchObject({ email: bob.email });
    expect(await at('--url', service.baseUrl)).toMatchObject({ error: { code: 'not_signed_in' } });
  });

  test('gives its session to its own service alone', async () => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    const elsewhere = answering({ items: [] });
    const args = ['ls', '--profile', 'staging', '--url', 'https://third.example.com/v1'];
    const both = await machine.run(args, elsewhere);

    expect(both).toMatchObject({ code: 2, errors: expect.stringContaining(`is of ${OTHER}, not`) });
    expect(elsewhere.sent).toEqual([]);

    // Moved there, without a session: that of the service before does not go along.
    await machine.run(['signup', 'a@b.example', ...args.slice(1)], answering({}));
    const moved = await machine.run(['ls', '--profile', 'staging'], elsewhere);
    expect(moved).toMatchObject({ code: 3 });
    expect(elsewhere.sent).toEqual([]);
    expect(await readFile(machine.configFile, 'utf8')).not.toContain('OTHERS');
  });

  test('lets a session without a name be, and the other way round', async () => {
    await logInAt('--url', OTHER);
    await logInAt('--profile', 'staging', '--url', OTHER);
    await machine.run(['logout', '--profile', 'staging'], answering({}));
    const listed = answering({ items: [] });

    expect(await machine.run(['ls', '--profile', 'staging'], listed)).toMatchObject({ code: 3 });
    expect(await machine.run(['ls', '--url', OTHER], listed)).toMatchObject({ code: 0 });
    expect(listed.sent).toHaveLength(1);
    expect((await stored()).profiles).toEqual({ staging: { url: OTHER } });
  });

  test('is no longer in use after a login without a name', async () => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    await logInAt('--url', 'https://third.example.com/v1');
    const listed = answering({ items: [] });
    await machine.run(['ls'], listed);

    expect(listed.sent[0]?.url).toContain('https://third.example.com/');
  });

  test('that is in use is the one that a login is for', async () => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    await logInAt();

    expect(Object.keys((await stored()).profiles)).toEqual(['staging']);
    expect((await stored()).sessions).toEqual({});
  });

  test.each([
    ['stagin', 'Did you mean staging? '],
    ['xyzzy', ''],
    ['constructor', ''],
    ['__proto__', ''],
    ['', ''],
  ])('that there is not, %j, is refused, and nothing is sent', async (name, near) => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    const listed = answering({ items: [] });
    const hint = `${near}npx --no-install hosted-mcp profile ls shows all; login --profile NAME --url URL makes one.`;

    for (const command of ['ls', 'login']) {
      expect(await machine.run([command, '--profile', name], listed)).toMatchObject({
        code: 2,
        errors: `hosted-mcp: There is no profile "${name}".\n${hint}\n`,
      });
    }
    if (name !== '') {
      const environment = { HOSTED_MCP_PROFILE: name };
      expect(await machine.run(['ls'], { environment, ...listed })).toMatchObject({ code: 2 });
    }
    expect(listed.sent).toEqual([]);
  });

  test.each(['__proto__', '-x', 'a b', '', 'a'.repeat(65), 'ü'])(
    'is not made with the name %j',
    async (name) => {
      const said = await logInAt(`--profile=${name}`, '--url', OTHER);

      expect(said).toMatchObject({
        code: 2,
        errors: expect.stringContaining('cannot be the name'),
      });
      await expect(stored()).rejects.toThrow('ENOENT');
    },
  );

  test('is not for commands of operators, which AWS has its own for', async () => {
    const said = await machine.run(['admin', 'blocks', '--profile', 'prod']);

    expect(said).toMatchObject({ code: 2, errors: expect.stringContaining('AWS_PROFILE=NAME') });
  });

  test('names the service of HOSTED_MCP_TOKEN, the one in use does not', async () => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    const listed = answering({ items: [] });
    const environment = { HOSTED_MCP_TOKEN: 'FROM-CI' };

    expect(await machine.run(['ls'], { environment, ...listed })).toMatchObject({ code: 2 });
    expect(listed.sent).toEqual([]);
    await machine.run(['ls', '--profile', 'staging'], { environment, ...listed });
    expect(listed.sent).toMatchObject([{ authorization: 'Bearer FROM-CI' }]);
    expect(listed.sent[0]?.url.startsWith(OTHER)).toBe(true);
  });
});

describe('a settings file', () => {
  const write = (settings: object) => writeFile(machine.configFile, JSON.stringify(settings));
  beforeEach(() => logInAt('--url', OTHER));

  test('without profiles goes on working', async () => {
    const { url, sessions } = await stored();
    expect(url).toBe(OTHER);
    await logInAt('--profile', 'staging', '--url', 'https://third.example.com/v1');

    expect(await stored()).toMatchObject({ url: OTHER, sessions, profile: 'staging' });
  });

  test.each([
    [{ profile: 'gone' }],
    [{ profile: 'constructor', profiles: {} }],
    [{ profiles: [{ url: OTHER }], profile: 7 }],
    [{ profiles: { staging: { session: {} } }, profile: 'staging' }],
  ])('that was damaged, %j, means that no profile is in use', async (damage) => {
    await write({ ...(await stored()), ...damage });
    const listed = answering({ items: [] });

    expect(await machine.run(['ls'], listed)).toMatchObject({ code: 0 });
    expect(listed.sent[0]?.url.startsWith(OTHER)).toBe(true);
  });

  test('never sends a session over an unencrypted line, whatever was written into it', async () => {
    const session = { token: 'SECRET', email: 'a@b.example', expiresAt: 9e9 };
    await write({ profiles: { staging: { url: 'http://other.example.com/v1', session } } });
    const listed = answering({ items: [] });
    const said = await machine.run(['ls', '--profile', 'staging'], listed);

    expect(said).toMatchObject({
      code: 2,
      errors: expect.stringContaining('The URL of the profile staging must be https'),
    });
    expect(listed.sent).toEqual([]);
  });

  test('that others could read is closed by profile use', async () => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    await chmod(machine.configFile, 0o666);
    await machine.run(['profile', 'use', 'staging']);

    expect((await stat(machine.configFile)).mode & 0o777).toBe(0o600);
  });
});

describe('profile', () => {
  const THIRD = 'https://third.example.com/v1';
  const NOW = 4_000_000_000;
  beforeEach(async () => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    await logInAt('--profile', 'prod', '--url', THIRD);
  });

  test('ls shows them all, and no token', async () => {
    const { code, out } = await machine.run(['profile', 'ls'], { now: NOW });
    expect(code).toBe(0);
    const rows = out.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(rows.slice(0, 3)).toEqual([
      ['NAME', 'IN USE', 'URL', 'ACCOUNT', 'SESSION'],
      ['staging', '-', OTHER, 'ada@example.com', 'ended'],
      ['prod', 'yes', THIRD, 'ada@example.com', 'ended'],
    ]);
    const listed = await machine.run(['profile', 'ls', '--json']);
    expect(listed.out).not.toContain('OTHERS');
    expect(listed.json()['items']).toMatchObject([
      { name: 'staging', in_use: false, url: OTHER, email: 'ada@example.com' },
      { name: 'prod', in_use: true },
    ]);
  });

  test('use makes it the one of commands that name none', async () => {
    expect(await machine.run(['profile', 'use', 'staging'])).toMatchObject({
      code: 0,
      out: `Commands go to ${OTHER}, with the profile staging.\n`,
    });
    const listed = answering({ items: [] });
    await machine.run(['ls'], listed);
    expect(listed.sent[0]?.url.startsWith(OTHER)).toBe(true);
  });

  test('rm forgets it and its session, and leaves the others', async () => {
    expect(await machine.run(['profile', 'rm', 'prod'])).toMatchObject({
      code: 0,
      errors: 'Commands without --profile go to http://127.0.0.1:8787/v1.\n',
    });
    expect(Object.keys((await stored()).profiles)).toEqual(['staging']);
    expect(await machine.run(['ls', '--profile', 'prod'])).toMatchObject({ code: 2 });
    await machine.run(['profile', 'rm', 'staging']);
    expect((await machine.run(['profile', 'ls'])).errors).toContain('There is no profile: npx');
    expect(await readFile(machine.configFile, 'utf8')).not.toContain('OTHERS');
  });

  test.each(['use', 'rm'])('%s of one that there is not names the nearest', async (word) => {
    const before = await stored();
    const said = await machine.run(['profile', word, 'stagng']);

    expect(said).toMatchObject({ code: 2, errors: expect.stringContaining('mean staging?') });
    expect(await stored()).toEqual(before);
  });

  test('works whatever profile the environment names', async () => {
    const environment = { HOSTED_MCP_PROFILE: 'gone', HOSTED_MCP_TOKEN: 'x' };
    expect(await machine.run(['profile', 'ls'], { environment })).toMatchObject({ code: 0 });
    expect(await machine.run(['completion', 'bash'], { environment })).toMatchObject({ code: 0 });
  });
});

describe('a command in a hint', () => {
  test.each([
    [['--url', OTHER], `npx --no-install hosted-mcp login --url ${OTHER}`],
    [['--profile', 'staging'], 'npx --no-install hosted-mcp login --profile staging'],
    [[], 'npx --no-install hosted-mcp login'],
  ])('after %j is %s', async (typed, hint) => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    await machine.run(['logout'], answering({}));
    const args = ['ls', ...typed];

    expect((await machine.run(args)).errors.split('\n')).toContain(
      `Sign in: ${hint}. In CI set HOSTED_MCP_TOKEN or HOSTED_MCP_TRUST.`,
    );
    expect((await machine.run([...args, '--json'])).json()).toMatchObject({
      error: { hint: `Sign in: ${hint}. In CI set HOSTED_MCP_TOKEN or HOSTED_MCP_TRUST.` },
    });
  });

  test('names the service in results and notes too, behind the whole name of the command', async () => {
    const named = ['--profile', 'staging', '--url', OTHER];
    const typed = '--profile staging --url https://other.example.com/v1';
    const answer = answering({});

    expect((await machine.run(['signup', 'a@b.example', ...named], answer)).out).toContain(
      `  npx --no-install hosted-mcp verify ${typed} TOKEN    with`,
    );
    expect(
      (await machine.run(['password', 'reset', 'a@b.example', ...named], answer)).out,
    ).toContain(`npx --no-install hosted-mcp password set ${typed} TOKEN`);
    await logInAt(...named);
    expect((await machine.run(['ls', ...named], answering({ items: [] }))).errors).toBe(
      `You have no server yet: npx --no-install hosted-mcp deploy ${typed} FILE_OR_URL makes one.\n`,
    );
  });

  test('that a stranger wrote stays as it is', async () => {
    await logInAt('--profile', 'staging', '--url', OTHER);
    const deployment = { slug: 'x', name: 'npx --no-install hosted-mcp login' };
    const said = await machine.run(['show', 'x', '--profile', 'staging'], answering(deployment));

    expect(said.out).toContain('npx --no-install hosted-mcp login\n');
  });
});
