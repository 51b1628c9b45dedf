import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BASE_URL, startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, get, post, rpc, type SentHeaders } from '../../support/mcp/router-events.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('login', { authMethod: 'oauth' });
  await router.publish('token', { authMethod: 'jwt' });
});

afterAll(() => router.stop());

const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/v1/mcp-router/login';
const SCOPE = 'scope="mcp.tools.read mcp.tools.execute"';

describe('the metadata that a challenge names', () => {
  test.each([
    ['/messages/', '', '/messages/'],
    ['/messages', 'tenant=acme', '/messages?tenant=acme'],
    ['/', 'a=1', '/?a=1'],
    ['/messages', 'a="b', '/messages'],
    ['/messages', `a=${'b'.repeat(500)}`, '/messages'],
  ])('is that of the address which was called: %s?%.10s', async (path, rawQueryString, end) => {
    const event = post(at('login', path), rpc('ping'));

    const { headers } = await router.send({ ...event, rawQueryString });

    expect(headers['www-authenticate']).toContain(`resource_metadata="${METADATA}${end}"`);
  });
});

describe('the WWW-Authenticate challenge of an oauth deployment', () => {
  const cases = (headers: SentHeaders) =>
    [
      [
        'POST /messages',
        post(at('login', '/messages'), rpc('ping'), headers),
        `${METADATA}/messages`,
      ],
      ['GET /messages', get(at('login', '/messages'), headers), `${METADATA}/messages`],
      ['POST /', post(at('login'), rpc('ping'), headers), METADATA],
      [
        'GET / for a stream',
        get(at('login'), { accept: 'text/event-stream', ...headers }),
        METADATA,
      ],
      ['POST /tool', post(at('login', '/tool'), { name: 'getPet' }, headers), METADATA],
      ['POST /tool in JSON-RPC', post(at('login', '/tool'), rpc('ping'), headers), METADATA],
      ['GET /tool', get(at('login', '/tool'), headers), METADATA],
    ] as const;

  test.each(cases({}))('asks for a token where none was sent: %s', async (_, event, metadata) => {
    const { statusCode, headers, body } = await router.send(event);
    const challenge = `Bearer realm="mcp", resource_metadata="${metadata}", ${SCOPE}`;

    expect(statusCode).toBe(401);
    expect(headers['www-authenticate']).toBe(challenge);
    expect(headers['x-mcp-challenge']).toBe(challenge);
    expect(JSON.parse(body)).toEqual({
      error: 'invalid_token',
      error_description: 'This server needs a bearer token.',
      resource_metadata: metadata,
    });
  });

  test.each(cases({ authorization: 'Bearer mcp_access_1234' }))(
    'names the error invalid_token where the token is not valid: %s',
    async (_, event, metadata) => {
      const { statusCode, headers, body } = await router.send(event);

      expect(statusCode).toBe(401);
      expect(headers['www-authenticate']).toBe(
        `Bearer realm="mcp", error="invalid_token", resource_metadata="${metadata}", ${SCOPE}`,
      );
      expect(headers['x-mcp-challenge']).toBe(headers['www-authenticate']);
      expect(JSON.parse(body)).toEqual({
        error: 'invalid_token',
        error_description: 'The bearer token is not valid here.',
        resource_metadata: metadata,
      });
    },
  );

  test('precedes any check of the request body', async () => {
    for (const sent of ['{', '[]', rpc('no/such'), 'x'.repeat(5_000_000)]) {
      const event = post(at('login', '/messages'), sent, { 'content-type': 'text/plain' });
      expect((await router.send(event)).statusCode).toBe(401);
    }
  });
});

describe('a bearer token', () => {
  const answer = (headers: SentHeaders) =>
    router.send(post(at('login', '/messages'), rpc('ping'), headers));

  test.each(['bearer abc', 'BEARER abc', 'Bearer', 'Bearer a b'])(
    'is recognized in the Authorization header %p',
    async (authorization) => {
      expect((await answer({ authorization })).headers['www-authenticate']).toContain(
        'error="invalid_token"',
      );
    },
  );

  test.each(['Basic dXNlcjpwYXNz', 'mcp_access_1234', ''])(
    'is not recognized in the Authorization header %p',
    async (authorization) => {
      expect((await answer({ authorization })).headers['www-authenticate']).not.toContain('error=');
    },
  );

  test('is not read from query, body or cookie', async () => {
    const { headers } = await router.send({
      ...post(at('login', '/messages'), { ...rpc('ping'), access_token: 'abc' }),
      headers: { 'content-type': 'application/json', cookie: 'access_token=abc' },
    });
    expect(headers['www-authenticate']).not.toContain('error=');
  });

  test('is refused with 400 where two were sent', async () => {
    expect((await answer({ authorization: 'Bearer a,Bearer b' })).statusCode).toBe(400);
  });
});

describe('the WWW-Authenticate challenge of a jwt deployment', () => {
  test('names no resource metadata', async () => {
    const { statusCode, headers, body } = await router.send(
      post(at('token', '/messages'), rpc('ping')),
    );

    expect(statusCode).toBe(401);
    expect(headers['www-authenticate']).toBe(`Bearer realm="mcp", ${SCOPE}`);
    expect(JSON.parse(body)).not.toHaveProperty('resource_metadata');
  });
});

describe('a refused bearer token', () => {
  test('is logged as a security event without its value', async () => {
    const before = router.lines.length;
    const headers = { authorization: 'Bearer very-secret' };
    await router.send(post(at('login', '/messages'), rpc('ping'), headers, '203.0.113.9'));

    const lines = router.lines.slice(before);
    expect(lines).toContainEqual({
      ...EVENT_LINE,
      type: 'security',
      event: 'authentication_failed',
      deployment_id: 'dep-login',
      slug: 'login',
      subject: '203.0.113.9',
      why: 'not an access token',
    });
    expect(JSON.stringify(lines)).not.toContain('very-secret');
  });
});

describe('invalid tokens from addresses of one IPv6 network', () => {
  test('are counted together, and those of the next network apart', async () => {
    const guess = async (sourceIp: string) => {
      const headers = { authorization: `Bearer mcp_access_${randomUUID()}` };
      const event = post(at('login', '/messages'), rpc('ping'), headers, sourceIp);
      return (await router.send(event)).statusCode;
    };
    const statuses = [];
    for (let last = 1; last <= 31; last += 1) statuses.push(await guess(`2001:db8:7:7::${last}`));

    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
    expect(await guess('2001:db8:7:8::1')).toBe(401);
  });
});

test('challenges name the configured base URL', () => {
  expect(METADATA.startsWith(new URL(BASE_URL).origin)).toBe(true);
});
