import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { siteOf } from '../../../layers/accounts/routes/site.ts';
import { routesOf as consoleRoutes } from '../../../layers/console/server.ts';
import { routesOf as managementRoutes } from '../../../layers/management/routes/server.ts';
import { functions } from '../../../lambdas/manifest.ts';
import { routesOf as oauthRoutes } from '../../../layers/oauth/routes/server.ts';
import { routesOf as routerRoutes } from '../../../layers/mcp/routes/server.ts';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { DEFAULT_LIMITS, type LimitName } from '../../../layers/limits/rules/limits.ts';
import type { Routes } from '../../../layers/platform/http/endpoint.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { wireOAuth } from '../../../lambdas/oauth/wiring.ts';
import { wireRouter } from '../../../lambdas/router/wiring.ts';
import { withinOneMinute } from '../../support/minute.ts';
import { fetchFrom, type Sent } from '../../support/target/other-address.ts';
import { aPublishingClient, type PublishingClient } from '../../support/oauth/publishing-client.ts';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import { type PublishedServer, startWholeService } from '../../support/service/whole-service.ts';
import { startTestAws } from '../../support/aws/aws.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';

interface Row {
  /** `POST /v1/mcp-oauth-server/token` */
  readonly addresses: readonly string[];
  /** Reads of a request, at most. */
  readonly reads: number;
  readonly limits: readonly string[];
}

const METHOD = /^[A-Z]+$/;

/** Methods before a path belong to it, and those after the last path to all of the row. */
const addressesIn = (cell: string): readonly string[] => {
  const paths: string[] = [];
  const addresses: string[] = [];
  let methods: string[] = [];
  for (const [, code = ''] of cell.matchAll(/`([^`]+)`/g)) {
    const [method = '', path] = code.split(' ');
    methods.push(method);
    if (path === undefined) continue;
    paths.push(path);
    addresses.push(...methods.map((one) => `${one} ${path}`));
    methods = [];
  }
  expect(methods.every((one) => METHOD.test(one))).toBe(true);
  return [...addresses, ...paths.flatMap((path) => methods.map((one) => `${one} ${path}`))];
};

const readRows = async (): Promise<readonly Row[]> => {
  const text = await readFile(new URL('../../../SECURITY.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## What a request costs before it is counted');
  const [table = ''] = section.split('\n## ');
  const lines = table.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => {
    const [address = '', cost = '', limit = ''] = line.slice(2, -2).split(' | ');
    const counted = [...cost.matchAll(/(\d+) (?:reads?|more)/g)].map(([, number]) =>
      Number(number),
    );
    return {
      addresses: addressesIn(address),
      reads: counted.reduce((sum, number) => sum + number, 0),
      limits: [...limit.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name),
    };
  });
};

const rows = await readRows();

/** Every method at every path that a function serves to anybody. */
const servedAddresses = async (): Promise<readonly string[]> => {
  const aws = await startTestAws();
  const environment = (name: 'router' | 'oauth' | 'management') => ({
    ...environmentOf(aws, name),
    SERVER_CARDS: 'true',
    ROOT_AUTHORIZATION_SERVER: 'true',
  });
  const oauth = wireOAuth(environment('oauth'));
  const tables: readonly Routes[] = [
    routerRoutes(wireRouter(environment('router'))),
    oauthRoutes(oauth, siteOf(oauth.settings.baseUrl)),
    consoleRoutes(new Promise(() => undefined), []),
  ];
  const management = managementRoutes(wireManagement(environment('management')));
  await aws.stop();
  const served = tables.flatMap((routes) =>
    Object.entries(routes).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method} ${path.replace(/^\/v1\/console\/\{.*/, '/v1/console/{page}')}`,
      ),
    ),
  );
  const open = management
    .filter(({ isPublic }) => isPublic)
    .map(({ method, path }) => `${method} /v1/mcp-management${path}`);
  return [...new Set([...served, ...open, 'ANY /v1/mcp-management/{rest}'])];
};

describe('the table of what a request costs before it is counted', () => {
  test('has each address that a function serves to strangers, and no other', async () => {
    const shown = rows.flatMap(({ addresses }) => addresses);

    expect([...shown].sort()).toEqual([...(await servedAddresses())].sort());
  });

  test('has each route of the gateway, and nothing that the gateway does not let in', () => {
    const patterns = Object.values(functions)
      .flatMap(({ routes }) => routes)
      .filter((key) => key !== '$default')
      .map((key) => key.split(' ')[1] ?? '')
      .map((path) => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{rest\+\}/, '.+')}$`));
    const paths = rows.flatMap(({ addresses }) => addresses.map((one) => one.split(' ')[1] ?? ''));

    expect(paths.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
    const unshown = patterns.filter((pattern) => !paths.some((path) => pattern.test(path)));
    expect(unshown).toEqual([]);
  });

  test('names limits that there are', () => {
    const names = rows.flatMap(({ limits }) => limits);

    expect(names.filter((name) => !Object.hasOwn(DEFAULT_LIMITS, name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining([...PER_ADDRESS]));
  });
});

/** Requests within a limit, which are looked at, and as many beyond it. */
const COUNT = 4;
const ROUNDS = 3;
const MOST_ROUNDS = 12;
/** Times the limit. Source: docs/decisions/limits.md, "Public deployments". */
const BLOCKED_AT = 5;
/** Of all that are asked before work that a stranger causes. */
const PER_ADDRESS = [
  'public_requests_per_minute_per_ip',
  'invalid_tokens_per_minute_per_ip',
  'registration_per_hour_per_ip',
  'hosted_registration_per_hour_per_ip',
  'authorize_per_hour_per_ip',
  'logins_per_minute_per_ip',
  'account_requests_per_hour_per_ip',
  'client_assertions_per_minute_per_ip',
] as const satisfies readonly LimitName[];

const service = await startWholeService({
  ...Object.fromEntries(PER_ADDRESS.map((name) => [name, COUNT])),
  token_per_minute_per_client: COUNT,
});
afterAll(() => service.stop());

let open: PublishedServer;
let clientId: string;
beforeAll(async () => {
  const owner = await service.person();
  open = await service.publish(owner, { authMethod: 'none' });
  ({ id: clientId } = await aRawClient(service));
});

let addresses = 1;
/** Of loopback, which is a source of its own to every limit. */
const anAddress = (): string => {
  addresses += 1;
  return `127.1.${addresses >> 8}.${addresses & 255}`;
};

const secret = (): string => randomBytes(32).toString('base64url');
const aMailToken = (): string => `${randomBytes(32).toString('hex')}.${secret()}`;
/** In the form of a session that was signed here, so that its signature is looked at. */
const aForgedSession = (): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    iss: service.issuer,
    aud: `${service.baseUrl}/mcp-management`,
    sub: 'nobody',
    sid: secret(),
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 600,
  };
  return `${part({ alg: 'ES256', typ: 'session+jwt', kid: 'x' })}.${part(claims)}.${secret()}${secret()}`;
};

const json = (body: object, headers = {}): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const form = (fields: Readonly<Record<string, string>>): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const tools = () => json({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const ownPage = () => ({ origin: new URL(service.baseUrl).origin });
const email = () => `${randomUUID()}@example.com`;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** What a stranger sends who has nothing but an address, by the path; the rest is sent as it is. */
const SENT: Readonly<Record<string, () => Sent & { readonly query?: string }>> = {
  'POST /v1/mcp-router/{slug}/messages': tools,
  'POST /v1/mcp-router/{slug}': tools,
  'POST /v1/mcp-router/{slug}/tool': () => json({ name: 'listBooks', arguments: { limit: 'x' } }),
  'GET /v1/mcp-router/{slug}/messages': () => ({ headers: { accept: 'text/event-stream' } }),
  'POST /v1/mcp-oauth-server/register': () => json({ redirect_uris: ['http://127.0.0.1/cb'] }),
  'GET /v1/mcp-oauth-server/authorize': () => ({ query: `client_id=${clientId}` }),
  'POST /v1/mcp-oauth-server/authorize': () => form({ ticket: secret() }),
  'POST /v1/mcp-oauth-server/login': () => form({ ticket: secret() }),
  'POST /v1/mcp-oauth-server/sign-in': () => form({ email: email(), password: 'x' }),
  'POST /v1/mcp-oauth-server/console/sign-in': () =>
    json({ email: email(), password: 'x' }, ownPage()),
  'POST /v1/mcp-management/sessions': () => json({ email: email(), password: 'x' }),
  'POST /v1/mcp-management/sessions/machine': () =>
    json({ trust: randomUUID(), token: `${secret()}.${secret()}.${secret()}` }),
  'POST /v1/mcp-oauth-server/token': () =>
    form({ grant_type: 'refresh_token', refresh_token: 'mcp_refresh_x', client_id: clientId }),
  'POST /v1/mcp-oauth-server/revoke': () => form({ token: `mcp_refresh_${secret()}` }),
  'GET /v1/mcp-oauth-server/userinfo': () => bearer(`mcp_access_${randomUUID()}`),
  'POST /v1/mcp-oauth-server/userinfo': () => ({
    method: 'POST',
    ...bearer(`mcp_access_${randomUUID()}`),
  }),
  'POST /v1/mcp-oauth-server/signup': () => form({ email: email() }),
  'POST /v1/mcp-oauth-server/reset': () => form({ email: email() }),
  'POST /v1/mcp-management/accounts': () => json({ email: email() }),
  'POST /v1/mcp-management/accounts/resend-verification': () => json({ email: email() }),
  'POST /v1/mcp-management/accounts/password-reset': () => json({ email: email() }),
  'GET /v1/mcp-oauth-server/open': () => ({ query: `link=${secret()}` }),
  'POST /v1/mcp-oauth-server/open': () => form({ link: secret() }),
  'GET /v1/mcp-oauth-server/verify': () => ({ query: `token=${aMailToken()}` }),
  'POST /v1/mcp-oauth-server/verify': () => form({ token: aMailToken(), password: 'x' }),
  'GET /v1/mcp-management/accounts/verify': () => ({ query: `token=${aMailToken()}` }),
  'POST /v1/mcp-management/accounts/verify': () => json({ token: aMailToken(), password: 'x' }),
  'GET /v1/mcp-oauth-server/reset/confirm': () => ({ query: `token=${aMailToken()}` }),
  'POST /v1/mcp-oauth-server/reset/confirm': () => form({ token: aMailToken(), password: 'x' }),
  'POST /v1/mcp-management/accounts/password-reset/confirm': () =>
    json({ token: aMailToken(), password: 'x' }),
  'POST /v1/mcp-oauth-server/console/token': () => ({ method: 'POST', headers: ownPage() }),
  'POST /v1/mcp-oauth-server/console/sign-out': () => ({ method: 'POST', headers: ownPage() }),
  'POST /v1/mcp-oauth-server/logout': () => form({}),
  'POST /v1/mcp-management/sessions/console-links': () =>
    json({}, bearer(aForgedSession()).headers),
  'ANY /v1/mcp-management/{rest}': () => bearer(aForgedSession()),
};

const SIGNED_BY_COOKIE = new Set(['POST /v1/mcp-oauth-server/console/token']);

/** What has no limit is asked for where nothing is, another each time. */
const requestOf = (address: string, isLimited: boolean) => {
  const [method = '', path = ''] = address.split(' ');
  const sent = SENT[address]?.() ?? { method };
  const slug = isLimited ? open.slug : `d-${randomUUID()}`;
  const place = path
    .replace('{slug}', slug)
    .replace('{rest}', 'account')
    .replace(/\{\w+\}/, 'x');
  const query = sent.query === undefined ? '' : `?${sent.query}`;
  const cookie = SIGNED_BY_COOKIE.has(address) && { cookie: `mcp-session=${aForgedSession()}` };
  return {
    url: `${new URL(service.baseUrl).origin}${place}${query}`,
    sent: { method, ...sent, headers: { ...sent.headers, ...cookie } },
  };
};

const send = (address: string, from: string, isLimited: boolean): Promise<Response> => {
  const { url, sent } = requestOf(address, isLimited);
  return fetchFrom(from, url, sent.method === 'ANY' ? { ...sent, method: 'GET' } : sent);
};

const READS = ['GetItem', 'Query', 'BatchGetItem'];
/** What those functions asked of AWS that strangers reach, beside what is read every few seconds. */
const asked = () => {
  const calls = service.aws.calls
    .list()
    .filter(({ caller }) => ['router', 'oauth', 'management', 'console'].includes(caller));
  const sum = (isRead: boolean) =>
    calls
      .filter(({ operation }) => READS.includes(operation) === isRead)
      .reduce((all, { times }) => all + times, 0);
  return { reads: sum(true), others: sum(false) };
};

interface Spent {
  readonly statuses: readonly number[];
  readonly reads: number;
  readonly others: number;
  readonly microseconds: number;
}

const spentOn = async (request: () => Promise<Response>): Promise<Spent> => {
  const statuses = [];
  const [before, began] = [asked(), process.cpuUsage()];
  for (let count = 0; count < COUNT; count += 1) statuses.push((await request()).status);
  const { user, system } = process.cpuUsage(began);
  const after = asked();
  return {
    statuses,
    reads: after.reads - before.reads,
    others: after.others - before.others,
    microseconds: user + system,
  };
};

/**
 * The least of some rounds: whatever else the machine does makes them longer and never shorter.
 *
 * @param enough - microseconds; with more, it is looked at some times again
 */
const leastOf = async (
  request: () => Promise<Response>,
  enough = Number.POSITIVE_INFINITY,
): Promise<Spent> => {
  const rounds: Spent[] = [];
  const isLess = () => rounds.some(({ microseconds }) => microseconds < enough);
  while (rounds.length < ROUNDS || (rounds.length < MOST_ROUNDS && !isLess())) {
    rounds.push(await spentOn(request));
  }
  const least = (of: (one: Spent) => number) => Math.min(...rounds.map(of));
  return {
    statuses: rounds.flatMap(({ statuses }) => statuses),
    reads: least(({ reads }) => reads),
    others: least(({ others }) => others),
    microseconds: least(({ microseconds }) => microseconds),
  };
};

const cases = rows.flatMap(({ addresses: list, reads, limits }) =>
  list.map((address) => [address, reads, limits] as const),
);

describe('a request that is refused', () => {
  /** Beside which all others are measured: a list of tools, for anybody. */
  let usual: Spent;
  beforeAll(async () => {
    usual = await leastOf(() => fetchFrom(anAddress(), open.messagesUrl, tools()));
  });

  test.each(cases)(
    'at %s costs what the table says, and little time',
    async (address, reads, limits) => {
      const isLimited = limits.length > 0 && !address.endsWith('/revoke');
      // At a public deployment a refused request still counts, until its address is blocked there.
      const times = limits.includes('public_requests_per_minute_per_ip') ? BLOCKED_AT : 1;

      const refused = await withinOneMinute(async () => {
        const from = anAddress();
        const within = Array.from({ length: isLimited ? times * COUNT : 0 }, () =>
          send(address, from, true),
        );
        await Promise.all(within);
        return leastOf(() => send(address, from, isLimited), 3 * usual.microseconds);
      });

      expect([refused.others, refused.reads <= reads * COUNT + 1]).toEqual([0, true]);
      expect(refused.microseconds / usual.microseconds).toBeLessThan(3);
      if (isLimited && !address.endsWith('/login')) {
        expect(new Set(refused.statuses)).toEqual(new Set([429]));
      }
    },
  );
});

describe('keys that a client publishes to make signatures costly', () => {
  test('make none costly', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 3072 });
    const own = await exportJWK(publicKey);
    const aClientOf = (keys: readonly JWK[]) =>
      aPublishingClient({ issuer: service.issuer, keys, sign: privateKey, alg: 'RS256' });
    await using honest = await aClientOf([own]);
    await using hostile = await aClientOf([
      ...Array.from({ length: 19 }, () => ({ ...own, e: own.n ?? '' })),
      own,
    ]);
    const revoke = (client: PublishingClient) => client.send('revoke', { from: anAddress() });
    // Documents and keys are fetched before.
    await Promise.all([revoke(honest), revoke(hostile)]);

    const usual = await leastOf(() => revoke(honest));
    const costly = await leastOf(() => revoke(hostile));

    expect(new Set([...usual.statuses, ...costly.statuses])).toEqual(new Set([200]));
    expect(costly.microseconds / usual.microseconds).toBeLessThan(3);
  });
});
