import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

const SECRET = 'CANARY-of-the-owner';
const BEARER = { type: 'bearer', token: SECRET };

let service: WholeService;
let session: string;
/** The API that the secret is for, and a host of somebody else. */
let own: TargetServer;
let foreign: TargetServer;
let asked = 0;

beforeAll(async () => {
  [service, own, foreign] = await Promise.all([
    startWholeService({ active_deployments_per_user: 100 }),
    anHttpServer(({ url }, response) => {
      if (url?.startsWith('/moved')) response.writeHead(307, { location: `${foreign.url}/caught` });
      response.end('own');
    }),
    anHttpServer((_, response) => response.end('foreign')),
  ]);
  const { email, password } = await service.person();
  const { body } = await api('POST', '/sessions', { email, password });
  session = body['access_token'] as string;
});
beforeEach(() => {
  asked = foreign.requests.length;
});
afterAll(async () => {
  await service.stop();
  await Promise.all([own[Symbol.asyncDispose](), foreign[Symbol.asyncDispose]()]);
});

interface Answered {
  readonly status: number;
  readonly etag: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

const api = async (method: string, path: string, body?: object): Promise<Answered> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== undefined && { authorization: `Bearer ${session}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const { status, headers } = answer;
  return { status, etag: headers.get('etag'), body: text === '' ? {} : JSON.parse(text) };
};

const get = (operationId: string, servers?: readonly string[]) => ({
  get: {
    operationId,
    responses: { 200: { description: 'Something' } },
    ...(servers && { servers: servers.map((url) => ({ url })) }),
  },
});

/** Whose document names the own API, and whose paths may name others. */
const describing = (paths: object, servers: readonly object[] = [{ url: own.url }]) => ({
  openapi: '3.1.0',
  info: { title: 'An API with a secret', version: '1' },
  servers,
  paths,
});

/** A deployment that no instance of the router has looked at yet. */
const deployed = async (openapi: object, more: object = {}): Promise<string> => {
  const slug = `s-${randomUUID().slice(0, 18)}`;
  const sent = { slug, openapi, mcp_auth_method: 'none', ...more };
  expect(await api('POST', '/deployments', sent)).toMatchObject({ status: 201 });
  return slug;
};
const set = (slug: string, more: object = {}) =>
  api('PUT', `/deployments/${slug}/credential`, { ...BEARER, ...more });

const call = async (slug: string, name: string) => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {} },
    }),
  });
  return (await answer.json()) as { readonly error?: object; readonly result?: object };
};
const trial = (slug: string, name: string) =>
  api('POST', `/deployments/${slug}/tools/${name}/test`, { arguments: {} });

const REFUSED = {
  error: { code: -32000, data: { reason: 'credential_not_for_this_host' } },
};
const ANSWERED = { result: { content: [{ type: 'text', text: 'own' }] } };
const warning = (path: string, url: string) =>
  expect.objectContaining({
    where: `/paths/${path.replace('/', '~1')}/get`,
    what: `calls to ${url} are refused, for the credential is not meant for this host`,
  });
const nothingWasAskedElsewhere = () => expect(foreign.requests.length).toBe(asked);

/** Calls it for real and as a trial: neither reaches anybody. */
const expectRefused = async (slug: string, name: string): Promise<void> => {
  expect(await call(slug, name)).toMatchObject(REFUSED);
  const { body } = await trial(slug, name);
  expect(body).toMatchObject({
    error: { data: { reason: 'credential_not_for_this_host' } },
  });
  expect(body).not.toHaveProperty('request');
  nothingWasAskedElsewhere();
};

describe('a credential that was set for one host', () => {
  test('is sent to it, and not by an operation with a server of its own elsewhere', async () => {
    const slug = await deployed(
      describing({ '/a': get('ours'), '/b': get('theirs', [foreign.url]) }),
    );

    const { body } = await set(slug, { origins: [own.url] });

    expect(body).toMatchObject({ origins: [own.url], warnings: [warning('/b', foreign.url)] });
    expect(await call(slug, 'ours')).toMatchObject(ANSWERED);
    expect(own.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
    await expectRefused(slug, 'theirs');
    const shown = await api('GET', `/deployments/${slug}/credential`);
    expect(shown.body).toMatchObject({ type: 'bearer', origins: [own.url] });
  });

  test('does not follow a new base address, until it is set again', async () => {
    const slug = await deployed(describing({ '/a': get('ours') }));
    await set(slug);

    const { body } = await api('PATCH', `/deployments/${slug}`, { api_base_url: foreign.url });

    expect(body['warnings']).toContainEqual(warning('/a', foreign.url));
    await expectRefused(slug, 'ours');
    expect((await set(slug)).body).toMatchObject({ origins: [foreign.url], warnings: [] });
    const { body: tried } = await trial(slug, 'ours');
    expect(tried).toMatchObject({ result: { content: [{ text: 'foreign' }] } });
  });

  test('does not follow a new description, nor its server variables', async () => {
    const slug = await deployed(describing({ '/a': get('ours') }));
    await set(slug);
    const [, , port = ''] = foreign.url.split(':');
    const openapi = describing({ '/a': get('ours'), '/b': get('theirs', [foreign.url]) }, [
      {
        url: 'http://127.0.0.1:{port}',
        variables: { port: { default: own.url.split(':')[2] ?? '' } },
      },
    ]);

    const published = await api('PUT', `/deployments/${slug}/openapi`, { openapi });
    // Not called yet: a router that has looked at it would serve this version for a while.
    expect(published.body['warnings']).toEqual([warning('/b', foreign.url)]);
    const changed = await api('PATCH', `/deployments/${slug}`, { server_variables: { port } });

    expect(changed.body['warnings']).toEqual([
      warning('/a', foreign.url),
      warning('/b', foreign.url),
    ]);
    await expectRefused(slug, 'ours');
    await expectRefused(slug, 'theirs');
    expect((await api('GET', `/deployments/${slug}`)).body['warnings']).toHaveLength(2);
  });

  test('does not follow a rollback', async () => {
    const slug = await deployed(describing({ '/a': get('ours') }), { api_base_url: foreign.url });
    await api('PATCH', `/deployments/${slug}`, { api_base_url: own.url });
    await set(slug);

    const { body } = await api('POST', `/deployments/${slug}/rollback`, { version: 1 });

    expect(body['warnings']).toContainEqual(warning('/a', foreign.url));
    await expectRefused(slug, 'ours');
  });

  test('does not follow a redirect to another host, which the credential may be meant for as well', async () => {
    const slug = await deployed(describing({ '/moved': get('moved') }));
    await set(slug, { origins: [own.url, foreign.url] });

    expect(JSON.stringify(await call(slug, 'moved'))).toContain('and it was not sent there');
    nothingWasAskedElsewhere();
  });

  test('is not for another host of the description when none is named, until its owner names it', async () => {
    const slug = await deployed(
      describing({ '/a': get('ours'), '/b': get('theirs', [foreign.url]) }),
    );
    const choice = await api('GET', `/deployments/${slug}/credential/origins`);
    expect(choice.body).toEqual({
      origins: [own.url],
      other_origins: [foreign.url],
      exposures: [
        expect.objectContaining({
          what: 'anybody on the internet could call 2 tools, with its credential',
        }),
      ],
      needs: [],
    });

    const { body } = await set(slug);

    expect(body).toMatchObject({ origins: [own.url], warnings: [warning('/b', foreign.url)] });
    await expectRefused(slug, 'theirs');
    await set(slug, { origins: [own.url, foreign.url] });
    expect((await trial(slug, 'theirs')).body).toMatchObject({
      result: { content: [{ text: 'foreign' }] },
    });
  });

  test('is for the hosts of its registrable domain when none is named, and for no other', async () => {
    const base = 'https://api.example.co.uk';
    const meant = ['https://uploads.example.co.uk', 'https://api.example.co.uk:8443'];
    const others = [
      'https://example.com',
      'https://other.co.uk',
      'https://example.co.uk.evil.example',
      'https://xn--exmple-cua.co.uk',
    ];
    const paths = [base, ...meant, ...others].map((url, n) => [`/${n}`, get(`get${n}`, [url])]);
    const slug = await deployed(describing(Object.fromEntries(paths), [{ url: base }]));

    expect((await set(slug)).body['origins']).toEqual([base, ...meant]);
    const choice = await api('GET', `/deployments/${slug}/credential/origins`);
    expect(choice.body).toEqual({
      origins: [base, ...meant],
      other_origins: others,
      exposures: [],
      needs: [],
    });
  });

  test.each([
    ['pages of one company', 'https://ada.github.io', 'https://eve.github.io'],
    ['buckets', 'https://ada.s3.amazonaws.com', 'https://eve.s3.amazonaws.com'],
    [
      'gateways of AWS',
      'https://a1b2c3.execute-api.eu-west-1.amazonaws.com',
      'https://d4e5f6.execute-api.eu-west-1.amazonaws.com',
    ],
    ['addresses', 'https://192.0.2.1', 'https://192.0.2.2'],
  ])('is for one of many customers alone: %s', async (_, url, other) => {
    const slug = await deployed(
      describing({ '/a': get('ours'), '/b': get('theirs', [other]) }, [{ url }]),
    );

    expect((await set(slug)).body['origins']).toEqual([url]);
  });

  test.each<[string, readonly string[], string]>([
    ['no origin at all', [], '/origins'],
    ['an address with a path', ['https://api.example.com/v1'], '/origins/0'],
    ['another scheme', ['https://a.example', 'ftp://api.example.com'], '/origins/1'],
    ['no address', ['api.example.com'], '/origins/0'],
    ['21 origins', Array.from({ length: 21 }, (_, n) => `https://h${n}.example`), '/origins'],
  ])('is refused for %s, and nothing changes', async (_, origins, where) => {
    const slug = await deployed(describing({ '/a': get('ours') }));

    expect(await set(slug, { origins })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', findings: [expect.objectContaining({ where })] },
    });
    expect(await api('GET', `/deployments/${slug}/credential`)).toMatchObject({ status: 404 });
  });

  test('takes 20 origins, in any spelling of theirs', async () => {
    const slug = await deployed(describing({ '/a': get('ours') }));
    const origins = Array.from({ length: 19 }, (_, n) => `https://H${n}.example:443/`);

    expect((await set(slug, { origins: [...origins, own.url] })).body['origins']).toEqual([
      ...Array.from({ length: 19 }, (_, n) => `https://h${n}.example`),
      own.url,
    ]);
    expect(await call(slug, 'ours')).toMatchObject(ANSWERED);
  });
});
