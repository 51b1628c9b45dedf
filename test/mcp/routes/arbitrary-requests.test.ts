import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BASE_URL, startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anEvent, at, post } from '../../support/mcp/router-events.ts';
import { runs } from '../../support/generated/runs.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  const asking = { name: 'ask', arguments: [{ name: 'a', required: true, values: ['b'] }] };
  await router.publish('pets', {}, { prompts: [{ ...asking, template: '{{a}}' }] });
  await router.publish('login', { authMethod: 'oauth', access: { mode: 'any_user' } });
  await router.publish('token', { authMethod: 'jwt' });
});

afterAll(() => router.stop());

const ENDS = ['/messages', '', '/tool'] as const;
/** The same cases in every run. */
const RUNS = { seed: 20_261_120, numRuns: runs(150) };

const ids = fc.oneof(fc.integer(), fc.string({ unit: 'binary' }), fc.jsonValue());
const methods = fc.oneof(
  fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/read',
    'resources/templates/list',
    'prompts/list',
    'prompts/get',
    'completion/complete',
    'logging/setLevel',
    '__proto__',
    'notifications/initialized',
  ),
  fc.string(),
);
const names = fc.oneof(
  fc.constantFrom('getPet', 'addPet', 'fail', 'nothing', 'constructor', '__proto__'),
  fc.string(),
);
const params = fc.oneof(
  fc.jsonValue(),
  fc.record({ name: names, arguments: fc.jsonValue() }, { requiredKeys: [] }),
  fc.record({
    name: names,
    arguments: fc.dictionary(
      fc.constantFrom('id', 'name', 'age', 'verbose', 'tag', 'status', '__proto__', 'a'),
      fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })),
    ),
  }),
  fc.record(
    {
      ref: fc.record({
        type: fc.constantFrom('ref/prompt', 'ref/resource'),
        name: names,
        uri: names,
      }),
      argument: fc.record({ name: names, value: fc.string({ unit: 'binary' }) }),
      context: fc.jsonValue(),
    },
    { requiredKeys: ['ref', 'argument'] },
  ),
  fc.record({ uri: fc.string({ unit: 'binary' }), cursor: fc.jsonValue() }, { requiredKeys: [] }),
);
const messages = fc.record(
  { jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2), id: ids, method: methods, params },
  { requiredKeys: [] },
);
const bodies = fc.oneof(messages, fc.array(messages, { maxLength: 5 }), fc.jsonValue());

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const claims = fc.record(
  {
    iss: fc.oneof(fc.constant(`${BASE_URL}/mcp-oauth-server`), fc.jsonValue()),
    aud: fc.oneof(fc.constant(`${BASE_URL}/mcp-router/token`), fc.jsonValue()),
    exp: fc.oneof(fc.constant(9_999_999_999), fc.jsonValue()),
    iat: fc.oneof(fc.constant(9_999_999_000), fc.jsonValue()),
    nbf: fc.jsonValue(),
    sub: fc.jsonValue(),
    jti: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
    scope: fc.oneof(fc.constant('mcp.tools.read'), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const jwts = fc
  .tuple(
    fc.record(
      {
        alg: fc.oneof(fc.constantFrom('ES256', 'none', 'HS256', 'RS256'), fc.jsonValue()),
        typ: fc.oneof(fc.constantFrom('at+jwt', 'session+jwt'), fc.jsonValue()),
        kid: fc.jsonValue(),
        crit: fc.jsonValue(),
        jwk: fc.jsonValue(),
      },
      { requiredKeys: ['alg'] },
    ),
    fc.oneof({ weight: 4, arbitrary: claims }, fc.jsonValue()),
    fc.oneof(fc.base64String(), fc.uint8Array({ maxLength: 64 }).map(encoded)),
  )
  .map(([header, said, signature]) => `${encoded(header)}.${encoded(said)}.${signature}`);
const tokens = fc.oneof(
  jwts,
  fc.uuid().map((id) => `mcp_access_${id}`),
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('mcp_access_', 'mcp_refresh_', 'secret_'), fc.string())
    .map((parts) => parts.join('')),
);
const authorizations = fc.oneof(
  { weight: 4, arbitrary: tokens.map((token) => `Bearer ${token}`) },
  fc
    .tuple(fc.constantFrom('bearer', 'Basic', 'DPoP', ''), fc.string())
    .map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary' }),
);

describe('a request with any Authorization header', () => {
  test.each(['login', 'token'])('never opens %p or ends in a 5xx', async (slug) => {
    await fc.assert(
      fc.asyncProperty(authorizations, async (authorization) => {
        const event = post(
          at(slug, '/messages'),
          { jsonrpc: '2.0', id: 1, method: 'ping' },
          { authorization },
        );
        const { statusCode, headers } = await router.send(event);

        expect([400, 401]).toContain(statusCode);
        if (statusCode === 401) expect(headers['www-authenticate']).toMatch(/^Bearer realm="mcp"/);
      }),
      { ...RUNS, numRuns: runs(400) },
    );
  });
});

describe('any other request to the router', () => {
  test.each(ENDS)('with any JSON to %p never ends in a 5xx of ours', async (end) => {
    await fc.assert(
      fc.asyncProperty(bodies, async (sent) => {
        const { statusCode, body } = await router.send(post(at('pets', end), sent));

        expect([200, 202, 400]).toContain(statusCode);
        if (statusCode !== 202) expect(() => JSON.parse(body)).not.toThrow();
      }),
      RUNS,
    );
  });

  test.each(ENDS)('with any bytes to %p never ends in a 5xx', async (end) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const { statusCode } = await router.send(
          anEvent('POST', at('pets', end), {
            headers: { 'content-type': 'application/json' },
            body: bytes,
          }),
        );
        expect([200, 202, 400]).toContain(statusCode);
      }),
      RUNS,
    );
  });

  test('with any path, headers and text never ends in a 5xx', async () => {
    const header = fc.string({ unit: 'binary' });
    const headers = fc.record(
      {
        'content-type': fc.oneof(fc.constant('application/json'), header),
        accept: fc.oneof(fc.constant('text/event-stream'), header),
        authorization: header,
        origin: header,
        'mcp-protocol-version': header,
      },
      { requiredKeys: [] },
    );
    const paths = fc.oneof(
      fc.constantFrom(...ENDS, '/health', '/docs').map((end) => at('pets', end)),
      fc.string().map((end) => at('pets', `/${end}`)),
      fc.string({ unit: 'binary' }),
    );
    const verbs = fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE', 'x');
    await fc.assert(
      fc.asyncProperty(paths, verbs, headers, fc.string(), async (path, verb, given, body) => {
        const { statusCode } = await router.send(anEvent(verb, path, { headers: given, body }));
        expect(statusCode).toBeLessThan(500);
      }),
      RUNS,
    );
  });
});
