import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { machineToken } from '../../../cli/machine-token.ts';
import { GITHUB } from '../../../layers/accounts/rules/trust.ts';
import { anHttpServer } from '../../support/target/target-server.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let person: Person;
let session: string;
let keys: Awaited<ReturnType<typeof anHttpServer>>;
let signing: CryptoKey;
let others: CryptoKey;
let publicPem: string;
beforeAll(async () => {
  service = await startWholeService();
  person = await service.person();
  session = await signedIn(person);
  const pair = await generateKeyPair('RS256', { extractable: true });
  [signing, others] = [pair.privateKey, (await generateKeyPair('RS256')).privateKey];
  publicPem = await exportSPKI(pair.publicKey);
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  keys = await anHttpServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys: [jwk] })),
  );
});
afterAll(async () => {
  await keys[Symbol.asyncDispose]();
  await service.stop();
});

const call = async (method: string, path: string, as?: string, body?: object) => {
  const answer = await fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
};
const signedIn = async ({ email, password }: Person): Promise<string> =>
  String((await call('POST', '/sessions', undefined, { email, password })).body['access_token']);

const CLAIMS = { repository_id: '4711', repository_owner_id: '815', environment: 'production' };
const trusted = async (more: object = {}, as = session): Promise<string> => {
  const wanted = {
    name: 'orders',
    scope: 'declare',
    jwks_uri: `${keys.url}/keys`,
    claims: CLAIMS,
    ...more,
  };
  const { status, body } = await call('POST', '/account/trusts', as, wanted);
  expect(status).toBe(201);
  return String(body['id']);
};

const now = () => Math.floor(Date.now() / 1000);
const saying = (over: object = {}): Record<string, unknown> => ({
  iss: GITHUB,
  aud: service.baseUrl,
  sub: 'repo:acme/orders:environment:production',
  jti: randomUUID(),
  iat: now(),
  nbf: now() - 5,
  exp: now() + 600,
  event_name: 'push',
  repository: 'acme/orders',
  ...CLAIMS,
  ...over,
});
/** What another issuer says: nothing of GitHub's. */
const of = (iss: string) => ({
  iss,
  ...Object.fromEntries(
    ['event_name', 'repository', ...Object.keys(CLAIMS)].map((one) => [one, undefined]),
  ),
});
const signed = (
  over: object = {},
  header: object = {},
  key: CryptoKey = signing,
): Promise<string> =>
  new SignJWT(saying(over)).setProtectedHeader({ alg: 'RS256', kid: 'key-1', ...header }).sign(key);
const exchanged = (trust: string, token: string) =>
  call('POST', '/sessions/machine', undefined, { trust, token });

describe('a machine', () => {
  test('signs in by what its issuer says of it, for a quarter of an hour', async () => {
    const trust = await trusted({ slugs: ['orders-*'] });
    const { status, body } = await exchanged(trust, await signed());
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    const token = String(body['access_token']);
    expect((await call('GET', '/deployments', token)).status).toBe(200);
    expect((await call('GET', '/account', token)).status).toBe(403);
    expect((await call('PATCH', '/deployments/orders-x', token, { name: 'X' })).status).toBe(403);

    const { body: listed } = await call('GET', '/account/trusts', session);
    const today = new Date().toISOString().slice(0, 10);
    expect(listed['items']).toContainEqual(expect.objectContaining({ id: trust, used_on: today }));
    expect((await call('GET', '/account/tokens', session)).body['items']).toEqual([]);
  });

  test('of a pull request looks, and changes nothing', async () => {
    const trust = await trusted();
    const { body } = await exchanged(trust, await signed({ event_name: 'pull_request' }));
    const token = String(body['access_token']);
    expect((await call('GET', '/deployments', token)).status).toBe(200);
    const applied = await call('PUT', '/deployments/orders-x/declaration', token, {});
    expect(applied.body).toMatchObject({ code: 'token_not_allowed' });
  });

  test('says numbers as texts, and more than is asked', async () => {
    const trust = await trusted();
    expect((await exchanged(trust, await signed({ repository_id: 4711 }))).status).toBe(200);
  });

  test('of another issuer signs in by its claims and keys', async () => {
    const issuer = 'https://gitlab.example';
    const claims = { project_id: '7', ref_path: 'refs/heads/main' };
    const trust = await trusted({ issuer, claims });
    const token = {
      ...of(issuer),
      project_id: 7,
      pipeline_source: 'push',
      ref_path: 'refs/heads/main',
      exp: now() + 3000,
    };
    expect((await exchanged(trust, await signed(token))).status).toBe(200);
  });

  test.each([
    ['GitHub Enterprise Server', 'https://github.acme.example/_services/token'],
    ['data residency of GitHub', 'https://token.actions.acme.ghe.com'],
    ['a company’s own', 'https://id.acme.example'],
  ])('of a pull request looks, with %s as issuer', async (_, issuer) => {
    const trust = await trusted({ issuer, scope: 'all' });
    const pull = await signed({ iss: issuer, event_name: 'pull_request' });
    const { body } = await exchanged(trust, pull);
    const token = String(body['access_token']);
    expect((await call('GET', '/deployments', token)).status).toBe(200);
    const applied = await call('PUT', '/deployments/orders-x/declaration', token, {});
    expect(applied.body).toMatchObject({ code: 'token_not_allowed' });
    const push = await exchanged(trust, await signed({ iss: issuer }));
    const allowed = String(push.body['access_token']);
    const changed = await call('PATCH', '/deployments/orders-x', allowed, { name: 'X' });
    expect(changed.status).toBe(404);
  });

  test.each([
    ['for longer than a quarter of an hour', { exp: now() + 1800 }, /lives too long/],
    ['without a number', { jti: undefined }, /no usable jti/],
  ])('is refused by a token of GitHub %s, whoever issued it', async (_, over, why) => {
    const issuer = 'https://id.acme.example';
    const trust = await trusted({ issuer });
    const { status, body } = await exchanged(trust, await signed({ iss: issuer, ...over }));
    expect(status).toBe(401);
    expect(body['detail']).toMatch(why);
  });

  test('is refused by a trust that asks for names alone, and told what to do', async () => {
    const issuer = 'https://id.acme.example';
    const claims = { sub: 'repo:acme/orders:environment:production', environment: 'production' };
    const trust = await trusted({ issuer, claims });
    const { status, body } = await exchanged(trust, await signed({ iss: issuer }));
    expect(status).toBe(401);
    expect(body['detail']).toMatch(/GitHub Actions.*repository_id.*end the trust, and add one/);
  });

  test('of an issuer that numbers no tokens is known by what was signed', async () => {
    const issuer = 'https://oidc.circleci.example/org/1';
    const trust = await trusted({ issuer, claims: { sub: 'org/1/project/2', project: '2' } });
    const said = { ...of(issuer), sub: 'org/1/project/2', project: 2, jti: undefined };
    const token = await signed(said);
    const answers = await Promise.all([1, 2, 3].map(() => exchanged(trust, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    expect((await exchanged(trust, writtenOtherwise(token))).status).toBe(401);
    expect((await exchanged(trust, await signed({ ...said, run: 2 }))).status).toBe(200);
  });

  test('uses up nothing of whoever publishes other keys under the same name', async () => {
    const jti = randomUUID();
    const stranger = await trusted({ jwks_uri: `${keys.url}/others` });
    expect((await exchanged(stranger, await signed({ jti }))).status).toBe(200);
    const trust = await trusted();
    expect((await exchanged(trust, await signed({ jti }))).status).toBe(200);
    expect((await exchanged(trust, await signed({ jti }))).status).toBe(401);
  });

  const HOUR = 3600;
  /** For what is refused: a person may trust twenty. */
  let once: string | undefined;
  test.each<readonly [string, () => Promise<string>, RegExp?]>([
    [
      'of another repository of that name',
      () => signed({ repository_id: '4712' }),
      /repository_id is "4712"/,
    ],
    ['of another owner', () => signed({ repository_owner_id: '816' }), /repository_owner_id/],
    [
      'of another environment',
      () => signed({ environment: 'staging' }),
      /environment is "staging"/,
    ],
    [
      'without a claim that is asked',
      () => signed({ environment: undefined }),
      /environment is absent/,
    ],
    ['with a claim in a list', () => signed({ environment: ['production'] })],
    ['with a claim in another case', () => signed({ environment: 'Production' })],
    ['with a claim and a space', () => signed({ environment: 'production ' })],
    [
      'with `sub` right and ids wrong',
      () => signed({ repository_id: '1', repository_owner_id: '2' }),
    ],
    ['for another audience', () => signed({ aud: 'https://other.example/v1' })],
    ['for others as well', () => signed({ aud: [service.baseUrl, 'https://other.example'] })],
    ['for the host alone', () => signed({ aud: new URL(service.baseUrl).origin })],
    ['for no audience', () => signed({ aud: undefined })],
    ['of another issuer', () => signed({ iss: 'https://token.actions.example' })],
    ['of an issuer with a slash behind it', () => signed({ iss: `${GITHUB}/` })],
    ['of no issuer', () => signed({ iss: undefined })],
    ['that has expired', () => signed({ iat: now() - 900, exp: now() - 120 })],
    ['that is not valid yet', () => signed({ nbf: now() + 300 })],
    [
      'that is issued tomorrow',
      () => signed({ iat: now() + 24 * HOUR, exp: now() + 24 * HOUR + 60 }),
    ],
    ['that lives for hours', () => signed({ exp: now() + 5 * HOUR })],
    ['that says no end', () => signed({ exp: undefined })],
    ['that says no beginning', () => signed({ iat: undefined })],
    ['without a jti', () => signed({ jti: undefined })],
    ['signed by another key', () => signed({}, {}, others)],
    ['signed by a key that nobody publishes', () => signed({}, { kid: 'key-2' }, others)],
    ['of no signature', async () => new UnsecuredJWT(saying()).encode()],
    [
      'signed with the public key as a secret',
      () =>
        new SignJWT(saying())
          .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
          .sign(new TextEncoder().encode(publicPem)),
    ],
    ['with its end cut off', async () => (await signed()).slice(0, -8)],
    [
      'with other claims under the signature',
      async () => swapped(await signed(), saying({ ref: 'x' })),
    ],
    ['that is no token', () => Promise.resolve('none')],
    ['that is empty', () => Promise.resolve('')],
  ])('is refused by a token %s', async (_, token, why = /not accepted/) => {
    const trust = (once ??= await trusted());
    const { status, body } = await exchanged(trust, await token());
    expect({ status, code: body['code'] }).toEqual({ status: 401, code: 'machine_refused' });
    expect(body['detail']).toMatch(why);
  });

  test('is let in once by a token, also where it is shown at once', async () => {
    const trust = await trusted();
    const token = await signed();
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchanged(trust, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
  });

  test.each([
    ['one that there is not', () => Promise.resolve(randomUUID())],
    ['what is no id', () => Promise.resolve('../../users')],
    [
      'one that was ended',
      async () => {
        const id = await trusted();
        expect((await call('DELETE', `/account/trusts/${id}`, session)).status).toBe(204);
        return id;
      },
    ],
    [
      'one of somebody who is gone',
      async () => {
        const as = await signedIn(await service.person());
        const id = await trusted({}, as);
        await call('DELETE', '/account', as);
        return id;
      },
    ],
  ])('is refused by %s as a trust', async (_, trust) => {
    const { status, body } = await exchanged(await trust(), await signed());
    expect({ status, detail: body['detail'] }).toEqual({
      status: 401,
      detail: 'There is no trust of this id (any more).',
    });
  });

  test('leaves neither its token nor ours in what is kept', async () => {
    const trust = await trusted();
    const token = await signed();
    const { body } = await exchanged(trust, token);
    await exchanged(trust, token);
    const kept = JSON.stringify(await service.kept());
    expect(kept).not.toContain(token.split('.')[2]);
    expect(kept).not.toContain(String(body['access_token']).slice(4, 47));
  });
});

/** The same signature: of its last letter, four bits say nothing. */
const writtenOtherwise = (token: string): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = letters[letters.indexOf(token.at(-1) ?? '') ^ 1];
  return `${token.slice(0, -1)}${other}`;
};

const swapped = (token: string, claims: object): string => {
  const [head, , signature] = token.split('.');
  return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
};

describe('whom somebody trusts', () => {
  test.each([
    [
      'names at GitHub',
      { repository: 'acme/orders', ref: 'refs/heads/main' },
      '/claims/repository',
    ],
    ['the subject at GitHub', { ...CLAIMS, sub: 'repo:acme/orders:ref:main' }, '/claims/sub'],
    ['no repository', { repository_owner_id: '815', ref: 'main' }, '/claims/repository_id'],
    ['any branch', { repository_id: '4711', repository_owner_id: '815' }, '/claims'],
    ['an audience', { ...CLAIMS, aud: 'x' }, '/claims/aud'],
    [
      'the subject at GitHub Enterprise Server',
      { sub: 'repo:acme/orders:ref:main', environment: 'production' },
      '/claims/repository_id',
      'https://github.acme.example/_services/token',
    ],
    [
      'names of GitHub at another issuer',
      { repository: 'acme/orders', event_name: 'push' },
      '/claims/repository',
      'https://id.acme.example',
    ],
    [
      'a name of a branch that a tag may have, at GitLab',
      { project_id: '7', ref: 'main' },
      '/claims',
      'https://code.acme.example',
    ],
    ['one claim of another issuer', { sub: 'x' }, '/claims', 'https://id.acme.example'],
  ])('is not said by %s', async (_, claims, where, issuer = GITHUB) => {
    const wanted = { name: 'x', scope: 'all', claims, issuer };
    const { status, body } = await call('POST', '/account/trusts', session, wanted);
    expect(status).toBe(422);
    expect(body['findings']).toContainEqual(expect.objectContaining({ where }));
  });

  test('is nobody else’s to see or to end', async () => {
    const id = await trusted();
    const stranger = await signedIn(await service.person());
    expect((await call('DELETE', `/account/trusts/${id}`, stranger)).status).toBe(404);
    expect((await call('GET', '/account/trusts', stranger)).body['items']).toEqual([]);
  });
});

describe('the command line in a pipeline', () => {
  test('asks GitHub for a token of this service, and trades it', async () => {
    const trust = await trusted();
    const asked: string[] = [];
    const token = await machineToken(
      {
        environment: {
          HOSTED_MCP_TRUST: trust,
          ACTIONS_ID_TOKEN_REQUEST_URL: 'https://github.example/token?version=2',
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'asking',
        },
        fetch: async (url, request) => {
          if (!url.startsWith('https://github.example/')) return fetch(url, request);
          asked.push(`${url} ${new Headers(request.headers).get('authorization')}`);
          return Response.json({ value: await signed() });
        },
      },
      service.baseUrl,
    );
    expect(token).toMatch(/^hmt_/);
    const audience = encodeURIComponent(service.baseUrl);
    expect(asked).toEqual([
      `https://github.example/token?version=2&audience=${audience} Bearer asking`,
    ]);
  });

  test('takes the token that another platform gives, and says what is missing', async () => {
    const trust = await trusted();
    const environment = { HOSTED_MCP_TRUST: trust, HOSTED_MCP_ID_TOKEN: await signed() };
    expect(await machineToken({ environment, fetch }, service.baseUrl)).toMatch(/^hmt_/);
    await expect(
      machineToken({ environment: { HOSTED_MCP_TRUST: trust }, fetch }, service.baseUrl),
    ).rejects.toThrow(/id-token: write/);
    expect(await machineToken({ environment: {}, fetch }, service.baseUrl)).toBeUndefined();
  });
});
