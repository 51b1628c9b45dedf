import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import type { Scope } from '../../../layers/tokens/rules/oauth-records.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { aMintedToken, anAccessToken, bearer, usageOf } from '../../support/mcp/router-tokens.ts';

let router: TestRouter;
let pets: Deployment;

beforeAll(async () => {
  router = await startRouter();
  const over = { authMethod: 'oauth', access: { mode: 'any_user' } } as const;
  const asking = { name: 'a', arguments: [{ name: 'b', required: true, values: ['c'] }] };
  pets = await router.publish('pets', over, { prompts: [{ ...asking, template: '{{b}}' }] });
});

afterAll(() => router.stop());

const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/v1/mcp-router/pets';
const READ = 'mcp.tools.read';
const EXECUTE = 'mcp.tools.execute';

const token = async (...scopes: readonly Scope[]) =>
  bearer(await anAccessToken(router, pets, { scopes }));
const say = async (scopes: readonly Scope[], sent: unknown, end = '/messages') =>
  router.send(post(at('pets', end), sent, await token(...scopes)));

const READS = [
  rpc('tools/list'),
  rpc('resources/list'),
  rpc('resources/templates/list'),
  rpc('resources/read', { uri: 'file:///a' }),
  rpc('prompts/list'),
  rpc('prompts/get', { name: 'a' }),
  rpc('completion/complete', {
    ref: { type: 'ref/prompt', name: 'a' },
    argument: { name: 'b', value: '' },
  }),
] as const;
const CALL = rpc('tools/call', { name: 'getPet', arguments: { id: 1 } });
const FREE = [
  rpc('initialize', { protocolVersion: '2025-03-26' }),
  rpc('ping'),
  rpc('logging/setLevel', { level: 'info' }),
  rpc('no/such'),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
] as const;

describe('the scope mcp.tools.read', () => {
  test.each(READS)('allows $method', async (sent) => {
    expect((await say([READ], sent)).statusCode).toBe(200);
  });

  test.each(READS)('is required for $method', async (sent) => {
    expect((await say([EXECUTE, 'openid'], sent)).statusCode).toBe(403);
  });

  test('is required and sufficient for GET /tool', async () => {
    const list = get(at('pets', '/tool'), await token(READ));
    const listWithout = get(at('pets', '/tool'), await token(EXECUTE));

    expect((await router.send(list)).statusCode).toBe(200);
    expect((await router.send(listWithout)).statusCode).toBe(403);
  });
});

describe('the scope mcp.tools.execute', () => {
  test.each([
    ['tools/call', CALL, '/messages'],
    ['tools/call at the base URL', CALL, ''],
    ['POST /tool', { name: 'nothing' }, '/tool'],
    ['tools/call at /tool', CALL, '/tool'],
  ])('is required and sufficient for %s', async (_, sent, end) => {
    expect((await say([EXECUTE], sent, end)).statusCode).toBe(200);
    const before = router.target.seen.length;

    expect((await say([READ], sent, end)).statusCode).toBe(403);
    expect(router.target.seen).toHaveLength(before);
  });
});

describe('a valid token without scopes', () => {
  test.each(FREE)('is sufficient for $method', async (sent) => {
    expect((await say(['openid'], sent)).statusCode).toBeLessThan(300);
    expect((await say([], sent)).statusCode).toBeLessThan(300);
  });

  test('is sufficient for the empty event stream', async () => {
    const headers = { accept: 'text/event-stream', ...(await token()) };

    expect((await router.send(get(at('pets', '/messages'), headers))).statusCode).toBe(200);
  });
});

describe('the answer to a token without the required scope', () => {
  test('names the required scope', async () => {
    const { statusCode, headers, body } = await say(['openid'], CALL);
    const challenge = `Bearer realm="mcp", error="insufficient_scope", resource_metadata="${METADATA}/messages", scope="mcp.tools.execute"`;

    expect(statusCode).toBe(403);
    expect(headers['www-authenticate']).toBe(challenge);
    expect(headers['x-mcp-challenge']).toBe(challenge);
    expect(JSON.parse(body)).toEqual({
      error: 'insufficient_scope',
      error_description: 'The token lacks: mcp.tools.execute.',
      resource_metadata: `${METADATA}/messages`,
    });
  });

  test('also names the scopes of the token, so that a client keeps them', async () => {
    const { headers } = await say([READ], CALL);

    expect(headers['www-authenticate']).toContain('scope="mcp.tools.read mcp.tools.execute"');
  });

  test('links the metadata of the URL that was called', async () => {
    for (const end of ['', '/tool']) {
      const { headers } = await say([READ], CALL, end);
      expect(headers['www-authenticate']).toContain(`resource_metadata="${METADATA}"`);
    }
  });

  test('does not count against the quota', async () => {
    const userId = 'thrifty';
    const text = await anAccessToken(router, pets, { userId, scopes: [READ] });
    await router.send(post(at('pets', '/messages'), CALL, bearer(text)));

    expect(await router.ports.usage.read(usageOf(userId), 'free', router.clock.now())).toEqual({
      hour: 0,
      month: 0,
    });
  });

  test('at a jwt deployment links no metadata', async () => {
    const jwt = await router.publish('jwt', { authMethod: 'jwt' });
    const { text } = await aMintedToken(router, jwt, { claims: { scope: READ } });
    const { statusCode, headers } = await router.send(
      post(at('jwt', '/messages'), CALL, bearer(text)),
    );

    expect(statusCode).toBe(403);
    expect(headers['www-authenticate']).toBe(
      'Bearer realm="mcp", error="insufficient_scope", scope="mcp.tools.read mcp.tools.execute"',
    );
  });
});

describe('a batch with a limited token', () => {
  test('is executed if the token has all scopes that its messages require', async () => {
    const { statusCode, body } = await say(
      [READ, EXECUTE],
      [rpc('tools/list', {}, 1), { ...CALL, id: 2 }],
    );

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  test('is refused as a whole if the token lacks one required scope', async () => {
    const before = router.target.seen.length;
    const { statusCode, headers } = await say([EXECUTE], [{ ...CALL, id: 2 }, rpc('tools/list')]);

    expect(statusCode).toBe(403);
    expect(headers['www-authenticate']).toContain('scope="mcp.tools.read mcp.tools.execute"');
    expect(router.target.seen).toHaveLength(before);
  });
});

describe('a public deployment', () => {
  test('requires no scopes', async () => {
    await router.publish('open');
    for (const sent of [...READS, CALL]) {
      expect((await router.send(post(at('open', '/messages'), sent))).statusCode).toBe(200);
    }
  });
});
