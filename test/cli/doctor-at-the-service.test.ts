import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Step } from '../../cli/doctor/step.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { aRawClient } from '../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

let service: WholeService;
let machine: TestMachine;
let owner: Person;
beforeAll(async () => {
  service = await startWholeService({ active_deployments_per_user: 1000 });
  machine = await aMachineFor();
  owner = await service.person();
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
});

const seen = async (url: string, options: readonly string[] = [], input?: string) => {
  const situation = input === undefined ? {} : { input };
  const said = await machine.run(['doctor', url, '--json', ...options], situation);
  const { steps } = said.json() as { steps: readonly Step[] };
  return { code: said.code, troubles: steps.filter(({ outcome }) => outcome !== 'ok') };
};

describe('the doctor, at the service', () => {
  test('finds a public deployment well', async () => {
    const { url } = await service.publish(owner, { authMethod: 'none' });

    expect(await seen(url)).toEqual({ code: 0, troubles: [] });
  });

  test('finds a deployment with a login well, up to the login page', async () => {
    const { messagesUrl } = await service.publish(owner);
    const { code, troubles } = await seen(messagesUrl, ['--register']);

    expect(troubles.map(({ outcome, step }) => [outcome, step])).toEqual(
      [
        'initialize',
        'notification',
        'ping',
        'tools/list',
        'stream',
        'server/discover in 2026-07-28',
        'tools/list in 2026-07-28',
      ].map((step) => ['skipped', step]),
    );
    expect(code).toBe(0);
  });

  test('goes in with a minted token', async () => {
    const { slug, messagesUrl } = await service.publish(owner, { authMethod: 'jwt' });
    const { token } = await service.operate({ operator: 'mint-token', ownerId: owner.id, slug });

    expect(await seen(messagesUrl, ['--token-stdin'], token)).toEqual({ code: 0, troubles: [] });
  });

  test('goes in with the token of a client whose user has consented', async () => {
    const server = await service.publish(owner);
    const client = await aRawClient(service);
    const { access_token } = await client.tokens(service.browser(), owner, server);

    expect(await seen(server.messagesUrl, ['--token-stdin'], `${access_token}\n`)).toEqual({
      code: 0,
      troubles: [],
    });
  });

  test('knows a token that is for another deployment', async () => {
    const { slug } = await service.publish(owner, { authMethod: 'jwt' });
    const other = await service.publish(owner, { authMethod: 'jwt' });
    const { token } = await service.operate({ operator: 'mint-token', ownerId: owner.id, slug });
    const { code, troubles } = await seen(other.url, ['--token-stdin'], token);

    expect(troubles[0]).toMatchObject({ step: 'initialize', what: 'the token is refused (401)' });
    expect(code).toBe(1);
  });

  test('misses a deployment that is not there', async () => {
    const { code, troubles } = await seen(`${service.baseUrl}/mcp-router/nobody-has-this`);

    expect(troubles).toMatchObject([
      { step: 'discovery', what: 'there is no server "nobody-has-this"' },
    ]);
    expect(code).toBe(4);
  });
});

describe('the doctor, for the owner of a server', () => {
  const at = () => ['--url', service.baseUrl];
  const signedIn = () =>
    machine.run(['login', owner.email, '--password-stdin', ...at()], { input: owner.password });
  const doctor = async (slug: string) => {
    const said = await machine.run(['doctor', slug, '--json', ...at()]);
    return { ...said, report: said.json() as Record<'service' | 'steps', readonly Step[]> };
  };

  test.each(['oauth', 'jwt', 'none'] as const)(
    'goes in with their session in mode %s, leaves no access behind, and tells what the service knows',
    async (authMethod) => {
      const { slug } = await service.publish(owner, { authMethod });
      await signedIn();
      if (authMethod === 'jwt') await machine.run(['token', 'mint', slug, ...at()]);
      await doctor(slug);
      const { code, report } = await doctor(slug);
      const list = async (...words: string[]) =>
        (await machine.run([...words, '--json', ...at()])).json()['items'];
      const account = (await machine.run(['account', 'export', ...at()])).json();

      expect(report.steps.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
      const names = report.steps.map(({ step }) => step);
      expect(names).toContain('tools/list in 2026-07-28');
      expect(names[0]).toBe('reach');
      expect(report.service.map(({ step }) => step)).toContain('Your plan');
      expect(code).toBe(0);
      expect(await list('grants', slug)).toEqual([]);
      const tokens = (await list('token', 'ls', slug)) as readonly Record<string, unknown>[];
      const ofIt = tokens.filter(({ name }) => name === 'hosted-mcp doctor');
      expect(ofIt.map(({ revoked }) => revoked)).toEqual(authMethod === 'jwt' ? [true, true] : []);
      expect(JSON.stringify(account['items'])).not.toContain('"user_agent":"hosted-mcp doctor"');
    },
  );

  test('says what the service knows of a fault', async () => {
    const { slug } = await service.publish(owner, { authMethod: 'none' });
    await signedIn();
    await machine.run(['pause', slug, ...at()]);
    const said = await machine.run(['doctor', slug, ...at()]);

    expect(said.out).toContain('FAILED   State: It answers 404 to everybody.');
    expect(said.out).toMatch(/\nThe service knows of a fault: State\.\n$/);
    expect(said.code).not.toBe(0);
  });

  test('says what nobody tried who is not signed in', async () => {
    const { slug } = await service.publish(owner);
    await machine.run(['logout', ...at()]);
    const said = await machine.run(['doctor', slug, ...at()]);

    expect(said.errors).toContain('Without what the service knows, and without a token: You are');
    expect(said.out).toContain('all that was tried. 7 steps had no token and were not tried.');
    expect(said.code).toBe(0);
  });
});

/** Something in front of the service that changes requests or answers. */
type Change = (url: URL, init: RequestInit, send: typeof fetch) => Promise<Response>;

/** The same answer with other headers. */
const withHeaders = (answer: Response, change: (headers: Headers) => void): Response => {
  const headers = new Headers(answer.headers);
  change(headers);
  const { status } = answer;
  return new Response([204, 304].includes(status) ? null : answer.body, { status, headers });
};

/** @param who - undefined: without an account, which is quick */
const smoked = async (
  who: Person | undefined,
  change?: Change,
  target = `${service.sampleApiUrl}/books`,
) => {
  const options = who
    ? ['--email', who.email, '--password-stdin', '--no-mail', '--target', target]
    : [];
  const said = await machine.run(['smoke', service.baseUrl, '--json', ...options], {
    ...(who && { input: who.password }),
    ...(change && {
      fetch: (url: string, init: RequestInit) => change(new URL(url), init, fetch),
    }),
  });
  const { steps } = said.json() as { steps: readonly Step[] };
  const faults = steps.filter(({ outcome }) => outcome === 'failed');
  return { code: said.code, steps, faults, named: faults.map(({ step }) => step) };
};

/** As they see it themselves. */
const slugsOf = async ({ email, password }: Person): Promise<readonly string[]> => {
  const at = ['--url', service.baseUrl];
  await machine.run(['login', email, '--password-stdin', ...at], { input: password });
  const { items } = (await machine.run(['ls', '--json', ...at])).json();
  return (items as readonly { readonly slug: string }[]).map(({ slug }) => slug);
};

describe('the smoke run', () => {
  test('finds a service well from the outside to a tool call, and leaves no deployment behind', async () => {
    const { code, faults, steps } = await smoked(owner);
    const left = await slugsOf(owner);

    expect(faults).toEqual([]);
    expect(code).toBe(0);
    expect(steps.filter(({ outcome }) => outcome === 'skipped')).toEqual([]);
    expect(steps.map(({ step }) => step)).toEqual(
      expect.arrayContaining([
        'challenge',
        'CORS preflight',
        'upload of 3 MB',
        'upload as gzip',
        'token',
        'client: tools/list',
        'tool call',
        'tidying up',
      ]),
    );
    expect(left.filter((slug) => slug.startsWith('smoke-'))).toEqual([]);
  });

  const BROKEN: readonly (readonly [string, Change, readonly string[], RegExp])[] = [
    [
      'renames WWW-Authenticate as API Gateway may',
      async (url, init, send) =>
        withHeaders(await send(url, init), (headers) => {
          const challenge = headers.get('www-authenticate');
          headers.delete('www-authenticate');
          if (challenge) headers.set('x-amzn-remapped-www-authenticate', challenge);
        }),
      ['challenge'],
      /renamed it to x-amzn-remapped-www-authenticate.*challenge_mapping/s,
    ],
    [
      'removes WWW-Authenticate',
      async (url, init, send) =>
        withHeaders(await send(url, init), (headers) => headers.delete('www-authenticate')),
      ['challenge'],
      /no WWW-Authenticate.*X-Mcp-Challenge/s,
    ],
    [
      'answers preflights itself',
      async (url, init, send) =>
        init.method === 'OPTIONS' ? new Response(null, { status: 204 }) : send(url, init),
      ['CORS preflight'],
      /without Access-Control-Allow-Origin.*configure no CORS at the API/s,
    ],
    [
      'does not lead the root to the service',
      async (url, init, send) =>
        url.pathname.startsWith('/.well-known/')
          ? new Response('', { status: 404 })
          : send(url, init),
      ['server metadata oauth-authorization-server, inserted'],
      /Paths under \/\.well-known\/ at the root of the host/,
    ],
    [
      'answers 500 at the token endpoint',
      async (url, init, send) =>
        url.pathname.endsWith('/token') && init.method === 'POST'
          ? new Response('Internal Server Error', { status: 500 })
          : send(url, init),
      ['token errors: an unknown client'],
      /HTTP 500/,
    ],
    [
      'lets answers be cached',
      async (url, init, send) =>
        withHeaders(await send(url, init), (headers) => headers.set('cache-control', 'max-age=60')),
      ['token errors: an unknown client'],
      /Cache-Control: no-store is missing/,
    ],
  ];

  const BROKEN_FOR_OWNERS: typeof BROKEN = [
    [
      'cuts uploads',
      async (url, init, send) =>
        send(url, {
          ...init,
          ...(String(init.body ?? '').length > 1_000_000 && {
            body: String(init.body).slice(0, 1_000_000),
          }),
        }),
      ['upload of 3 MB'],
      /What arrived is not what was sent/,
    ],
    [
      'refuses large bodies',
      async (url, init, send) =>
        String(init.body ?? '').length > 1_000_000
          ? new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 })
          : send(url, init),
      ['upload of 3 MB'],
      /refuses bodies of this size/,
    ],
    [
      'recodes what is packed and keeps cookies back',
      async (url, init, send) => {
        const packed = init.body instanceof Uint8Array && Buffer.from(init.body).toString('utf8');
        const answer = await send(url, { ...init, ...(packed && { body: packed }) });
        return withHeaders(answer, (headers) => headers.delete('set-cookie'));
      },
      ['upload as gzip', 'consent page'],
      /What arrived is not what was sent.*Set-Cookie/s,
    ],
  ];

  test.each([
    ...BROKEN.map((row) => [...row, 'nobody'] as const),
    ...BROKEN_FOR_OWNERS.map((row) => [...row, 'the owner'] as const),
  ])('names what is wrong where something %s', async (_, change, named, words, who) => {
    const found = await smoked(who === 'nobody' ? undefined : owner, change);

    expect(found.code).toBe(1);
    expect(found.named).toEqual(expect.arrayContaining([...named]));
    const told = found.faults.map(({ what, cause, hint }) => `${what} ${cause} ${hint}`);
    expect(told.join('\n')).toMatch(words);
  });

  test('names a tool call that does not get through', async () => {
    const { named } = await smoked(owner, undefined, 'http://127.0.0.1:2/');

    expect(named).toEqual(['tool call']);
  });

  test('tries without an account what works without one', async () => {
    const said = await machine.run(['smoke', service.baseUrl]);

    expect(said.code).toBe(0);
    expect(said.out).toContain('skipped  owner: upload, login and tool call need an account');
    expect(said.out).toMatch(/The service does all that was tried\.\n$/);
  });

  test('asks for a mail, and judges the link that a person finds in it', async () => {
    // The wrong password ends the run after the mail.
    const sent = async (link: string) => {
      const environment = { NO_COLOR: '1' };
      const situation = { typed: ['wrong', link], environment };
      const said = await machine.run(['smoke', service.baseUrl, '--email', owner.email], situation);
      expect(said.out).toContain('FAILED   session: the login is refused');
      return said.out;
    };

    expect(await sent('')).toContain('FAILED   link of the mail: no mail came');
    expect(await sent('https://mail.example/x')).toContain('the link does not begin with');
    expect(await sent(`${service.baseUrl}/mcp-oauth-server/password-reset?token=x`)).toMatch(
      /^(ok|FAILED) +link of the mail/m,
    );
  });

  test('says that nobody listens', async () => {
    const said = await machine.run(['smoke', 'http://127.0.0.1:2/v1']);

    expect(said.code).toBe(1);
    expect(said.out).toContain('FAILED   reach: http://127.0.0.1:2: nothing listens there');
  });

  test.each([
    [['smoke', 'http://127.0.0.1:2/v1', '--target', 'x'], '--target must be'],
    [['smoke', 'http://127.0.0.1:2/v1', '--password-stdin'], '--password-stdin needs --email'],
  ])('is refused: %j', async (line, why) => {
    const said = await machine.run(line);

    expect(said.code).toBe(2);
    expect(said.errors).toContain(why);
  });
});
