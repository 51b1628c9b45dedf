import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { GITHUB } from '../../../layers/accounts/rules/trust.ts';
import { networksFrom } from '../../../local/run/networks.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';
import { mailsAt } from '../../support/oauth/people.ts';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let owner: Person;
let stranger: Person;
let server: PublishedServer;
let paths: Readonly<Record<string, object>>;
/** The API behind a deployment, a machine of somebody else, and one in a private network. */
let api: TargetServer;
let outside: TargetServer;
let inside: TargetServer;

const startTargets = async () => {
  const described = () =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      servers: [{ url: api.url }],
      paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: OK } } } },
    });
  [api, outside, inside] = await Promise.all([
    anHttpServer((_, response) => response.end(described())),
    anHttpServer((_, response) => response.end(described())),
    anHttpServer((_, response) => response.end(described()), '127.0.0.4'),
  ]);
};
const OK = { description: 'ok' };

beforeAll(async () => {
  const networks = networksFrom(['inside=127.0.0.4/32']);
  service = await startWholeService({ active_deployments_per_user: 100 }, { networks });
  [owner, stranger] = [await service.person(), await service.person()];
  server = await service.publish(owner, { authMethod: 'jwt' });
  const description = await service.fetch(`${service.baseUrl}/mcp-management/openapi.json`);
  ({ paths } = (await description.json()) as { readonly paths: typeof paths });
  await startTargets();
});
afterAll(async () => {
  await service.stop();
  await Promise.all([api, outside, inside].map((one) => one[Symbol.asyncDispose]()));
});

const sessionOf = async ({ email, password }: Person): Promise<string> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the API that names a deployment, on a deployment. */
const operationsOn = (slug: string): readonly (readonly [string, string])[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/deployments/{slug}'))
    .flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => METHODS.includes(method))
        .map((method) => {
          const filled = path
            .replace('{slug}', slug)
            .replace('{version}', '1')
            .replace(/\{\w+\}/, 'x');
          return [method.toUpperCase(), filled] as const;
        }),
    );

interface Outcome {
  readonly status: number;
  readonly body: string;
}

const ask = async (session: string, method: string, path: string): Promise<Outcome> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
  });
  return { status: answer.status, body: await answer.text() };
};

describe('a deployment of somebody else', () => {
  test('is to no operation of the management API more than one that does not exist', async () => {
    const session = await sessionOf(stranger);
    const nowhere = `d-${randomUUID()}`;
    const operations = operationsOn(server.slug);
    expect(operations.length).toBeGreaterThan(30);

    for (const [method, path] of operations) {
      const theirs = await ask(session, method, path);
      const none = await ask(session, method, path.replace(server.slug, nowhere));

      expect([method, path, theirs.status]).toEqual([method, path, none.status]);
      expect([404, 422]).toContain(theirs.status);
      expect(theirs.body.replaceAll(server.slug, '')).toBe(none.body.replaceAll(nowhere, ''));
    }
  });

  test('is as it was after all of that', async () => {
    const session = await sessionOf(owner);

    const { status, body } = await ask(session, 'GET', `/deployments/${server.slug}`);

    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ slug: server.slug, status: 'active' });
  });

  test('is not among the deployments of anybody else', async () => {
    const { body } = await ask(await sessionOf(stranger), 'GET', '/deployments');

    expect(body).not.toContain(server.slug);
  });
});

describe('a token for one deployment', () => {
  test('is refused by another one of the same owner', async () => {
    const [mine, other] = [await service.publish(owner), await service.publish(owner)];
    const client = await aRawClient(service);
    const { access_token } = await client.tokens(service.browser(), stranger, mine);
    const list = (url: string) =>
      service.fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });

    expect((await list(mine.messagesUrl)).status).toBe(200);
    expect((await list(other.messagesUrl)).status).toBe(401);
  });

  test('is no session of the management API', async () => {
    const mine = await service.publish(owner);
    const client = await aRawClient(service);
    const { access_token } = await client.tokens(service.browser(), owner, mine);

    expect(await ask(access_token, 'GET', '/deployments')).toMatchObject({ status: 401 });
  });
});

type Scope = 'read' | 'logs' | 'declare' | 'all';

const json = ({ body }: Outcome): Readonly<Record<string, unknown>> => JSON.parse(body || '{}');

const send = async (token: string, method: string, path: string, body?: object) => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status } = answer;
  return { status, body: await answer.text() };
};

const tokenOf = async (session: string, wanted: object): Promise<string> => {
  const made = await send(session, 'POST', '/account/tokens', { name: 'ci', ...wanted });
  expect(made.status).toBe(201);
  return String(json(made)['token']);
};

/** A token for a quarter of an hour, of a machine that its person trusts with everything. */
const machineOf = async (session: string, said: object): Promise<string> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  await using keys = await anHttpServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys: [jwk] })),
  );
  const claims = { repository_id: '1', repository_owner_id: '2', ref: 'refs/heads/main' };
  const trust = json(
    await send(session, 'POST', '/account/trusts', {
      name: 'ci',
      scope: 'all',
      claims,
      jwks_uri: keys.url,
    }),
  );
  const token = await new SignJWT({ ...claims, ...said })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(GITHUB)
    .setAudience(service.baseUrl)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
  const signedIn = await send('', 'POST', '/sessions/machine', { trust: trust['id'], token });
  expect(signedIn.status).toBe(200);
  return String(json(signedIn)['access_token']);
};

const SECRET = 'CANARY-of-the-owner';

/** One whose description is fetched from its API, with a credential that goes there. */
const deployed = async (session: string, more: object = {}): Promise<string> => {
  const slug = `e-${randomUUID().slice(0, 18)}`;
  const wanted = { slug, openapi_url: `${api.url}/openapi.json`, mcp_auth_method: 'jwt', ...more };
  const made = await send(session, 'POST', '/deployments', wanted);
  expect(made.status).toBe(201);
  const credential = { type: 'bearer', token: SECRET };
  const set = await send(session, 'PUT', `/deployments/${slug}/credential`, credential);
  expect(set.status).toBe(200);
  return slug;
};

/** What reached anybody while something was done, and mails. */
const reached = async <Result>(act: () => Promise<Result>) => {
  const targets = [api, outside, inside];
  const before = targets.map(({ requests }) => requests.length);
  const mails = await mailed();
  const result = await act();
  const requests = targets.flatMap((one, index) => one.requests.slice(before[index]));
  return { result, requests, mails: (await mailed()) - mails };
};
const mailed = async (): Promise<number> => (await mailsAt(service)).length;

interface Kind {
  readonly token: string;
  readonly scope: Scope;
}

/** Each kind of token for programs. */
const kindsOf = async (session: string): Promise<Readonly<Record<string, Kind>>> => {
  const own = async (scope: Scope): Promise<Kind> => ({
    token: await tokenOf(session, { scope }),
    scope,
  });
  return {
    read: await own('read'),
    logs: await own('logs'),
    declare: await own('declare'),
    all: await own('all'),
    'a machine': { token: await machineOf(session, { event_name: 'push' }), scope: 'all' },
    'a pull request': {
      token: await machineOf(session, { event_name: 'pull_request' }),
      scope: 'read',
    },
  };
};

/** Written by hand: what each scope may do besides what the ones that it holds may. */
const MORE: Readonly<Record<Exclude<Scope, 'all'>, readonly string[]>> = {
  read: [
    'checkDescription',
    'compareVersions',
    'describeForRegistries',
    'examineDeployment',
    'getAccount',
    'getCases',
    'getCredential',
    'getCredentialOrigins',
    'getDeclaration',
    'getDeployment',
    'getJwtIssuer',
    'getNamedCredential',
    'getPrompt',
    'getRecording',
    'getResource',
    'listCaseRuns',
    'listClients',
    'listCredentials',
    'listDeployments',
    'listNetworks',
    'listPrompts',
    'listResources',
    'listSearchTools',
    'listTokens',
    'listTools',
    'listVersions',
    'planDeclaration',
    'readDescription',
    'readDescriptionOfVersion',
  ],
  logs: [
    'listAccountActivity',
    'listActivity',
    'listCallers',
    'listCalls',
    'listProblems',
    'totalCalls',
  ],
  declare: ['applyDeclaration', 'releaseFromDeclaration', 'removeDeployment'],
};
/** For people alone; sessions are not taken from tokens at all. */
const NEVER = [
  'changeAccount',
  'endOwnGrant',
  'endPersonalToken',
  'endTrust',
  'exportAccount',
  'listOwnGrants',
  'listSharedServers',
  'listPersonalTokens',
  'listTrusts',
  'makePersonalToken',
  'makeTrust',
  'mintToken',
  'removeAccount',
];
const OF_SESSIONS = ['listSessions', 'endSession', 'makeConsoleLink', 'signOut'];

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly 'x-token-scope'?: string;
  readonly 'x-effects'?: readonly string[];
}

const operations = (): readonly (Operation & { method: string; path: string })[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, one]) => ({
        ...(one as Operation),
        method: method.toUpperCase(),
        path,
      }))
      .filter(({ security }) => security === undefined),
  );

const mayAsk = (scope: Scope, id: string): boolean => {
  if (NEVER.includes(id) || OF_SESSIONS.includes(id)) return false;
  if (scope === 'all' || MORE.read.includes(id)) return true;
  return scope !== 'read' && MORE[scope].includes(id);
};

describe('a token for programs', () => {
  test('may ask for what its scope says of every operation, and reaches and changes nothing else', async () => {
    const session = await sessionOf(owner);
    const slug = await deployed(session);
    const nowhere = `d-${randomUUID()}`;
    const before = await send(session, 'GET', `/deployments/${slug}`);
    expect(operations().length).toBeGreaterThan(80);
    for (const [kind, { token, scope }] of Object.entries(await kindsOf(session))) {
      const { result, requests, mails } = await reached(async () => {
        const wrong: unknown[] = [];
        for (const { method, path, operationId } of operations()) {
          const on = scope === 'all' ? nowhere : slug;
          const filled = path
            .replace('{slug}', on)
            .replace('{version}', '1')
            .replace(/\{\w+\}/, 'x');
          const body = method === 'GET' || method === 'DELETE' ? undefined : {};
          const { status } = await send(token, method, filled, body);
          const isRefused = status === 403 || status === 401;
          const isToBe = !mayAsk(scope, operationId) || isOwnRemoval(scope, operationId);
          if (isRefused !== isToBe) wrong.push([kind, operationId, status]);
        }
        return wrong;
      });
      expect([result, requests, mails]).toEqual([[], [], 0]);
    }
    expect(await send(session, 'GET', `/deployments/${slug}`)).toEqual(before);
  });

  test('is described with that scope at each operation', () => {
    for (const { operationId, 'x-token-scope': said } of operations()) {
      const least = (['read', 'logs', 'declare', 'all'] as const).find((scope) =>
        mayAsk(scope, operationId),
      );
      expect([operationId, said]).toEqual([operationId, least ?? 'never']);
    }
  });

  test('that only looks has nothing fetched but what is stored, as it is stored', async () => {
    const session = await sessionOf(owner);
    const slug = await deployed(session);
    const privately = await deployed(session, { network: 'inside' });
    const url = `${api.url}/openapi.json`;
    const acts = `${api.url}/admin/reindex?all=1`;
    const headers = { 'X-Delete': 'yes' };
    const declared = (more: object) => ({ declaration: { name: 'Pets', ...more } });
    const plan = `/deployments/${slug}/declaration/plan`;
    const requests: readonly (readonly [string, object])[] = [
      ['/descriptions', { deployment: slug, openapi_url: acts }],
      ['/descriptions', { deployment: slug, openapi_url: acts, fetch_with: 'credential' }],
      ['/descriptions', { deployment: slug, openapi_url: url, fetch_with: 'credential' }],
      ['/descriptions', { deployment: slug, openapi_url: url, openapi_headers: headers }],
      ['/descriptions', { deployment: slug, openapi_url: `${url}?` }],
      ['/descriptions', { deployment: slug, openapi_url: inside.url, network: 'inside' }],
      ['/descriptions', { deployment: privately, openapi_url: inside.url }],
      ['/descriptions', { openapi_url: inside.url, network: 'inside', openapi_headers: headers }],
      ['/descriptions', { openapi_url: outside.url }],
      ['/descriptions', { deployment: slug, overlays: [{ url: outside.url }] }],
      [plan, declared({ openapi_url: acts })],
      [plan, declared({ openapi_url: acts, fetch_with: 'credential' })],
      [plan, declared({ openapi_url: inside.url, network: 'inside' })],
      [
        `/deployments/${randomUUID().replace(/^./, 'x')}/declaration/plan`,
        declared({ openapi_url: outside.url }),
      ],
    ];
    for (const [kind, { token, scope }] of Object.entries(await kindsOf(session))) {
      if (scope !== 'read' && scope !== 'logs') continue;
      for (const [path, body] of requests) {
        const did = await reached(() => send(token, 'POST', path, body));
        const { code, detail } = json(did.result) as { code: string; detail: string };
        expect([kind, body, did.result.status, code]).toEqual([
          kind,
          body,
          403,
          'token_not_allowed',
        ]);
        expect(detail).toMatch(/^This would fetch http\S+ .*`declare` or `all`/);
        expect(did.requests).toEqual([]);
      }
      const stored = await reached(() =>
        send(token, 'POST', '/descriptions', { deployment: slug, openapi_url: url }),
      );
      expect(stored.result.status).toBe(200);
      expect(
        stored.requests.map(({ url: path, headers: its }) => [path, its.authorization]),
      ).toEqual([['/openapi.json', undefined]]);
    }
  });

  test('fetches a stored address with the credential where that is stored too', async () => {
    const session = await sessionOf(owner);
    const slug = await deployed(session, { fetch_with: 'credential' });
    const token = await tokenOf(session, { scope: 'read' });
    const look = { deployment: slug, openapi_url: `${api.url}/openapi.json` };

    const { result, requests } = await reached(() => send(token, 'POST', '/descriptions', look));

    expect(result.status).toBe(200);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${SECRET}`]);
  });

  test('calls the API with scope all alone', async () => {
    const session = await sessionOf(owner);
    const slug = await deployed(session);
    const statuses: unknown[] = [];
    for (const [kind, { token, scope }] of Object.entries(await kindsOf(session))) {
      const path = `/deployments/${slug}/tools/listPets/test`;
      const { result, requests } = await reached(() =>
        send(token, 'POST', path, { arguments: {} }),
      );
      statuses.push([kind, result.status, requests.length]);
      if (scope !== 'all') expect(json(result)).toMatchObject({ code: 'token_not_allowed' });
    }
    expect(statuses).toEqual([
      ['read', 403, 0],
      ['logs', 403, 0],
      ['declare', 403, 0],
      ['all', 200, 1],
      ['a machine', 200, 1],
      ['a pull request', 403, 0],
    ]);
  });

  test('mints nothing, whatever it may do else, so that nothing outlives it', async () => {
    const session = await sessionOf(owner);
    const slug = await deployed(session);
    for (const { token } of Object.values(await kindsOf(session))) {
      for (const [path, body] of [
        [`/deployments/${slug}/tokens`, {}],
        ['/account/tokens', { name: 'x', scope: 'read' }],
        ['/account/trusts', { name: 'x', scope: 'read', claims: { a: 'b', c: 'd' } }],
      ] as const) {
        const refused = await send(token, 'POST', path, body);
        expect([refused.status, json(refused)['code']]).toEqual([403, 'token_not_allowed']);
      }
      expect((await send(token, 'POST', '/sessions/console-links', {})).status).toBe(401);
    }
    expect((await send(session, 'POST', `/deployments/${slug}/tokens`, {})).status).toBe(201);
  });

  test('that declares removes what its own declaration has made, and nothing else', async () => {
    const session = await sessionOf(owner);
    const token = await tokenOf(session, { scope: 'declare' });
    const BY = 'github.com/acme/orders:servers.yaml';
    const by = (name: string) => `?managed_by=${encodeURIComponent(name)}`;
    const openapi = JSON.stringify(MINIMAL);
    const declaration = { declaration: { openapi }, managed_by: BY };
    const [byHand, adopted] = [await deployed(session), await deployed(session)];
    const made = `e-${randomUUID().slice(0, 18)}`;
    const apply = (slug: string, as: string, more: object = {}) =>
      send(as, 'PUT', `/deployments/${slug}/declaration`, { ...declaration, ...more });
    expect((await apply(made, token)).status).toBe(200);
    // What somebody has put there goes with the apply that takes it over.
    expect(json(await apply(adopted, token, { adopt: true }))).toMatchObject({
      code: 'token_not_allowed',
      detail: expect.stringContaining('credentials.main'),
    });
    expect((await apply(adopted, session, { adopt: true })).status).toBe(200);

    const remove = (slug: string, query: string) =>
      send(token, 'DELETE', `/deployments/${slug}${query}`);
    const code = async (answer: Promise<Outcome>) => {
      const { status, body } = await answer;
      return [status, body === '' ? undefined : (JSON.parse(body) as { code: string }).code];
    };
    expect(await code(remove(byHand, ''))).toEqual([403, 'token_not_allowed']);
    expect(await code(remove(byHand, by(BY)))).toEqual([409, 'managed']);
    expect(await code(remove(adopted, by(BY)))).toEqual([403, 'token_not_allowed']);
    expect(await code(remove(made, by('another')))).toEqual([409, 'managed']);
    const overriding = await service.fetch(
      `${service.baseUrl}/mcp-management/deployments/${made}`,
      {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}`, 'override-manager': 'true' },
      },
    );
    expect(overriding.status).toBe(403);
    for (const slug of [byHand, adopted, made]) {
      expect((await send(session, 'GET', `/deployments/${slug}`)).status).toBe(200);
    }
    expect(await code(remove(made, by(BY)))).toEqual([204, undefined]);
  });

  test('that declares does not remove by a second apply what the first has taken over', async () => {
    const session = await sessionOf(owner);
    const token = await tokenOf(session, { scope: 'declare' });
    const slug = await deployed(session);
    const path = `/deployments/${slug}/declaration`;
    const prompt = { name: 'by-hand', template: 'x' };
    expect((await send(session, 'POST', `/deployments/${slug}/prompts`, prompt)).status).toBe(201);
    const { declaration } = json(await send(session, 'GET', path)) as {
      readonly declaration: Readonly<Record<string, unknown>>;
    };
    const apply = async (changed: object) => {
      const body = { declaration: { ...declaration, ...changed }, managed_by: 'x', adopt: true };
      const answer = await send(token, 'PUT', path, body);
      return [answer.status, json(answer)['detail']] as const;
    };
    const guide = { name: 'guide', uri: 'guide://guide', mime_type: 'text/plain', content: 'x' };

    expect(await apply({})).toEqual([200, undefined]);
    // What was written in the second of the takeover counts as before it.
    await setTimeout(1100);
    expect(await apply({ resources: [guide] })).toEqual([200, undefined]);

    expect(await apply({ credentials: {}, resources: [guide] })).toEqual([
      403,
      expect.stringContaining('credentials.main'),
    ]);
    expect(await apply({ prompts: [], resources: [guide] })).toEqual([
      403,
      expect.stringContaining('prompts.by-hand'),
    ]);
    // What the declaration has made, it removes.
    expect(await apply({ resources: [] })).toEqual([200, undefined]);
  });

  test('for some servers is for no other, whatever it may do', async () => {
    const session = await sessionOf(await service.person());
    const slug = await deployed(session);
    for (const scope of ['read', 'logs', 'declare', 'all'] as const) {
      const token = await tokenOf(session, { scope, slugs: ['other-*'] });
      for (const { method, path } of operations()) {
        const filled = path.replace('{slug}', slug).replace(/\{\w+\}/g, 'x');
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const { status } = await send(token, method, filled, body);
        const isOwnList = ['/deployments', '/networks'].includes(path) && method === 'GET';
        expect([path, method, isOwnList ? [200] : [401, 403, 404]]).toEqual([
          path,
          method,
          expect.arrayContaining([status]),
        ]);
      }
    }
    expect((await send(session, 'GET', `/deployments/${slug}`)).status).toBe(200);
  });
});

/** Its scope is enough for some removals, and not for that of what no declaration has made. */
const isOwnRemoval = (scope: Scope, operationId: string): boolean =>
  scope === 'declare' && operationId === 'removeDeployment';

const MINIMAL = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: OK } } } },
};
