import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const SECRET = 'CANARY-fetch-aeT3zah9Ohsh7';

let service: TestManagement;
let owner: Owner;
let api: TargetServer;
let elsewhere: TargetServer;
const seen: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];

const withPaths = (...paths: readonly string[]) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: api.url }],
    paths: Object.fromEntries(
      paths.map((path) => [path, { get: { responses: { 200: { description: 'ok' } } } }]),
    ),
  });

beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
  owner = await service.owner({ plan: 'pro' });
  elsewhere = await anHttpServer(({ url, headers }, response) => {
    seen.push({ path: `elsewhere${url ?? ''}`, headers });
    response.end(withPaths('/stolen'));
  });
  api = await anHttpServer(({ url, headers }, response) => {
    const path = url ?? '';
    seen.push({ path, headers });
    const isKnown = headers['x-key'] === SECRET || headers.authorization === `Bearer ${SECRET}`;
    if (path === '/moved') response.writeHead(302, { location: elsewhere.url });
    else if (path === '/closed' && !isKnown) response.statusCode = 401;
    response.end(isKnown ? withPaths('/pets', '/owners', '/visits') : withPaths('/pets'));
  });
});
afterEach(() => void seen.splice(0));
afterAll(async () => {
  await service.stop();
  await api[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

/** All that the tables hold. */
const storedTexts = async (): Promise<string> => {
  const tables = ['deployments', 'deployment-content', 'limits', 'security-events'] as const;
  const scans = tables.map((name) =>
    service.store.instance().send(new ScanCommand({ TableName: service.store.tableName(name) })),
  );
  return JSON.stringify((await Promise.all(scans)).map(({ Items }) => Items));
};

const call = (method: string, path: string, body?: object) =>
  service.call(method, path, { as: owner, ...(body && { body }) });

describe('a description behind a header', () => {
  test('is fetched with it, once, and the header is kept nowhere', async () => {
    const made = await call('POST', '/deployments', {
      openapi_url: `${api.url}/closed`,
      openapi_headers: { 'X-Key': SECRET },
      slug: 'by-header',
    });

    expect(made).toMatchObject({ status: 201, body: { tool_count: 3 } });
    expect(seen.map(({ headers }) => headers['x-key'])).toEqual([SECRET]);
    expect(await storedTexts()).not.toContain(SECRET);
    expect(JSON.stringify(service.lines)).not.toContain(SECRET);
    expect(JSON.stringify(await call('GET', '/deployments/by-header'))).not.toContain(SECRET);
  });

  test('is refused with what to do where nobody said who asks', async () => {
    const { status, body } = await call('POST', '/deployments', {
      openapi_url: `${api.url}/closed`,
      slug: 'closed',
    });

    expect([status, body['code']]).toEqual([422, 'description_unreachable']);
    expect(body['findings']).toMatchObject([
      { what: 'it answered HTTP 401', hint: expect.stringContaining('--fetch-header') },
    ]);
  });

  test('is not fetched from where its address redirects to', async () => {
    const { status, body } = await call('POST', '/descriptions', {
      openapi_url: `${api.url}/moved`,
      openapi_headers: { 'X-Key': SECRET },
    });

    expect([status, body['code']]).toEqual([422, 'description_unreachable']);
    expect(seen.map(({ path }) => path)).toEqual(['/moved']);
  });

  test.each<[string, object, string]>([
    [
      'no address',
      { openapi: aDescription(), openapi_headers: { 'X-Key': 'a' } },
      '/openapi_headers',
    ],
    ['a header of the connection', { openapi_headers: { Host: 'a' } }, '/openapi_headers/Host'],
    [
      'a second header in it',
      { openapi_headers: { 'X-Key': `a\r\nX-B: 1` } },
      '/openapi_headers/X-Key',
    ],
    ['no name', { openapi_headers: { 'X Key': 'a' } }, '/openapi_headers/X Key'],
    [
      'six headers',
      { openapi_headers: Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`X-${n}`, 'a'])) },
      '/openapi_headers',
    ],
  ])('is refused with %s', async (_, sent, where) => {
    const address = 'openapi' in sent ? {} : { openapi_url: `${api.url}/closed` };
    const { status, body } = await call('POST', '/descriptions', { ...address, ...sent });

    expect(status).toBe(422);
    expect(body['findings']).toMatchObject([{ where }]);
    expect(seen).toEqual([]);
  });
});

describe('a description behind the credential of its server', () => {
  const withCredential = async (
    slug: string,
    over: object = {},
    credential: object = { type: 'bearer', token: SECRET },
  ) => {
    await call('POST', '/deployments', { openapi: withPaths('/pets'), slug, ...over });
    expect(await call('PUT', `/deployments/${slug}/credential`, credential)).toMatchObject({
      status: 200,
    });
  };

  test('is fetched with it where its owner wants that', async () => {
    await withCredential('trusted', { fetch_with: 'credential' });

    const done = await call('PUT', '/deployments/trusted/openapi', {
      openapi_url: `${api.url}/closed`,
    });

    expect(done).toMatchObject({ status: 200, body: { tool_count: 3 } });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${SECRET}`]);
    expect(JSON.stringify(service.lines)).not.toContain(SECRET);
  });

  test('is fetched with its key in a cookie', async () => {
    const key = { type: 'api_key', in: 'cookie', name: 'sid', value: SECRET };
    await withCredential('in-a-cookie', { fetch_with: 'credential' }, key);

    const openapi = { openapi_url: `${api.url}/pets` };
    expect(await call('PUT', '/deployments/in-a-cookie/openapi', openapi)).toMatchObject({
      status: 200,
    });
    expect(seen.map(({ headers }) => headers['cookie'])).toEqual([`sid=${SECRET}`]);
  });

  test('is fetched without it from another host', async () => {
    await withCredential('other-host', { fetch_with: 'credential' });

    await call('PUT', '/deployments/other-host/openapi', { openapi_url: `${elsewhere.url}/x` });

    expect(seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['elsewhere/x', undefined],
    ]);
  });

  test('does not follow it to another host', async () => {
    await withCredential('leads-away', { fetch_with: 'credential' });

    const { status } = await call('PUT', '/deployments/leads-away/openapi', {
      openapi_url: `${api.url}/moved`,
    });

    expect(status).toBe(422);
    expect(seen.map(({ path }) => path)).toEqual(['/moved']);
  });

  test('is said to be more than what anybody gets', async () => {
    await withCredential('partly');

    const { body } = await call('PUT', '/deployments/partly/openapi', {
      openapi_url: `${api.url}/open`,
    });

    expect(body['tool_count']).toBe(1);
    expect(body['warnings']).toContainEqual(
      expect.objectContaining({
        where: '/openapi_url',
        what: 'describes 3 operations to whom shows the credential, and 1 to anybody',
      }),
    );
  });
});

describe('what somebody has looked at', () => {
  test('is published, or nothing: an address that says something else by then is refused by name', async () => {
    let said = withPaths('/pets');
    await using changing = await anHttpServer((_, response) => response.end(said));
    const source = { openapi_url: `${changing.url}/openapi.json` };
    const looked = await call('POST', '/descriptions', source);
    const { fetched } = looked.body;
    expect(fetched).toEqual([
      { url: source.openapi_url, sha256: createHash('sha256').update(said).digest('hex') },
    ]);
    said = withPaths('/pets', '/wipe');

    const slug = 'looked-at';
    const refused = await call('POST', '/deployments', { ...source, slug, fetched });
    expect([refused.status, refused.body['code']]).toEqual([412, 'plan_stale']);
    expect(refused.body['detail']).toContain(source.openapi_url);
    expect((await call('GET', `/deployments/${slug}`)).status).toBe(404);

    said = withPaths('/pets');
    expect((await call('POST', '/deployments', { ...source, slug, fetched })).status).toBe(201);
    said = withPaths('/pets', '/wipe');
    for (const [method, path] of [
      ['PUT', `/deployments/${slug}/openapi`],
      ['PATCH', `/deployments/${slug}`],
    ] as const) {
      expect((await call(method, path, { ...source, fetched })).body['code']).toBe('plan_stale');
    }
    expect((await call('GET', `/deployments/${slug}`)).body).toMatchObject({ tool_count: 1 });
    expect((await call('PUT', `/deployments/${slug}/openapi`, source)).status).toBe(200);
  });

  test('is so of overlays at their addresses', async () => {
    const overlay = (title: string) =>
      JSON.stringify({
        overlay: '1.0.0',
        info: { title, version: '1' },
        actions: [{ target: '$.info', update: { title } }],
      });
    let said = overlay('One');
    await using changing = await anHttpServer((_, response) => response.end(said));
    const slug = 'looked-at-overlay';
    await call('POST', '/deployments', { openapi: withPaths('/pets'), slug });
    const overlays = [{ url: `${changing.url}/overlay.json` }];
    const { fetched } = (await call('POST', '/descriptions', { deployment: slug, overlays })).body;
    said = overlay('Two');

    const refused = await call('PATCH', `/deployments/${slug}`, { overlays, fetched });

    expect([refused.status, refused.body['code']]).toEqual([412, 'plan_stale']);
    said = overlay('One');
    expect((await call('PATCH', `/deployments/${slug}`, { overlays, fetched })).status).toBe(200);
  });
});
