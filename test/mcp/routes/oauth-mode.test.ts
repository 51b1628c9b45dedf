import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { server } from '../../../layers/mcp/routes/server.ts';
import { inOrder } from '../../../layers/mcp/steps/answer-rpc.ts';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { dynamoDeployments } from '../../../layers/deployments/store/deployments.ts';
import type { AccessPolicy } from '../../../layers/deployments/rules/access/access-policy.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type { AccessToken } from '../../../layers/tokens/rules/oauth-records.ts';
import { aClock, NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, get, post, rpc } from '../../support/mcp/router-events.ts';
import {
  accessTokensOf,
  aMintedToken,
  anAccessToken,
  bearer,
} from '../../support/mcp/router-tokens.ts';

let router: TestRouter;
let pets: Deployment;

beforeAll(async () => {
  router = await startRouter();
  pets = await router.publish('pets', { authMethod: 'oauth', access: { mode: 'any_user' } });
});

afterEach(() => {
  router.clock.time = NOON;
  router.store.aws.faults.clear();
});
afterAll(() => router.stop());

const say = (token: string, sent: unknown = rpc('tools/list'), slug = 'pets') =>
  router.send(post(at(slug, '/messages'), sent, bearer(token)));
/** Status and, for the log alone, the reason. */
const outcome = async (token: string, slug = 'pets') => {
  const { statusCode } = await say(token, rpc('ping'), slug);
  return [statusCode, router.lines.at(-1)?.['why']];
};

describe('all users of a hosted client, whose calls come from one address', () => {
  const OFFICE = '192.0.2.200';
  const show = async (token: string, slug = 'pets') =>
    (await router.send(post(at(slug, '/messages'), rpc('ping'), bearer(token), OFFICE))).statusCode;
  const usersOf = (count: number) =>
    Promise.all(Array.from({ length: count }, () => anAccessToken(router, pets)));

  test('are each told that their token has ended, and let in with the next, within a minute', async () => {
    const ended = await usersOf(200);
    router.clock.time = NOON + 3600;
    const statuses = await inOrder(ended, 5, (token) => show(token));
    const next = await Promise.all(
      ended.map(() => anAccessToken(router, pets, { expiresAt: NOON + 7200 })),
    );

    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(new Set(await inOrder(next, 5, (token) => show(token)))).toEqual(new Set([200]));
  });

  test('may not go on with one that has ended, and are not let guess by it', async () => {
    const [ended = ''] = await usersOf(1);
    router.clock.time = NOON + 3 * 3600;
    const limit = DEFAULT_LIMITS.invalid_tokens_per_minute_per_ip;
    const statuses = await inOrder(Array(limit + 1).fill(ended), 1, () => show(ended));
    expect(statuses).toEqual([...Array(limit).fill(401), 429]);

    const guesses = Array.from({ length: limit + 1 }, () => `mcp_access_${randomUUID()}`);
    expect(await inOrder(guesses, 1, (token) => show(token))).toEqual(statuses);
  });

  test('nor by tokens of other servers: those count as guesses', async () => {
    await router.publish('others', { authMethod: 'oauth', access: { mode: 'any_user' } });
    const tokens = await usersOf(DEFAULT_LIMITS.invalid_tokens_per_minute_per_ip + 1);
    router.clock.time = NOON + 5 * 3600;

    const statuses = await inOrder(tokens, 1, (token) => show(token, 'others'));

    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('an opaque access token', () => {
  test('opens the deployment that it was issued for', async () => {
    const { statusCode, headers, body } = await say(
      await anAccessToken(router, pets),
      rpc('tools/call', { name: 'getPet', arguments: { id: 7 } }),
    );

    expect(statusCode).toBe(200);
    expect(headers).not.toHaveProperty('www-authenticate');
    expect(JSON.parse(body)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
  });

  test.each([
    [
      'POST /messages',
      (token: string) => post(at('pets', '/messages'), rpc('ping'), bearer(token)),
    ],
    ['POST /', (token: string) => post(at('pets'), rpc('ping'), bearer(token))],
    [
      'POST /tool',
      (token: string) => post(at('pets', '/tool'), { name: 'nothing' }, bearer(token)),
    ],
    ['GET /tool', (token: string) => get(at('pets', '/tool'), bearer(token))],
    [
      'GET /messages',
      (token: string) =>
        get(at('pets', '/messages'), { accept: 'text/event-stream', ...bearer(token) }),
    ],
  ])('is valid at every endpoint of the deployment: %s', async (_, event) => {
    const { statusCode } = await router.send(event(await anAccessToken(router, pets)));
    expect(statusCode).toBe(200);
  });

  test('is valid up to the last second before it expires', async () => {
    const token = await anAccessToken(router, pets);
    router.clock.time = NOON + 3599;
    expect(await outcome(token)).toEqual([200, undefined]);
    router.clock.time = NOON + 3600;
    expect(await outcome(token)).toEqual([401, 'token expired']);
  });

  test('is refused from the next request after its revocation', async () => {
    const token = await anAccessToken(router, pets);
    expect(await outcome(token)).toEqual([200, undefined]);
    await accessTokensOf(router).revoke(fingerprint(token));

    expect(await outcome(token)).toEqual([401, 'token revoked']);
  });

  test('is refused at another deployment', async () => {
    const cats = await router.publish('cats', {
      authMethod: 'oauth',
      access: { mode: 'any_user' },
    });

    expect(await outcome(await anAccessToken(router, cats))).toEqual([
      401,
      'token for another deployment',
    ]);
  });

  test('is refused at a new deployment with the same slug', async () => {
    const former = { ...pets, id: 'dep-former' };

    expect(await outcome(await anAccessToken(router, former))).toEqual([
      401,
      'token for another deployment',
    ]);
  });

  test('is refused at a jwt deployment', async () => {
    const jwt = await router.publish('jwt', { authMethod: 'jwt' });

    expect(await outcome(await anAccessToken(router, jwt), 'jwt')).toEqual([
      401,
      'not a signed JWT',
    ]);
  });

  test.each([
    ['one that was never issued', () => `mcp_access_${randomUUID()}`, 'unknown token'],
    ['a refresh token', () => `mcp_refresh_${'a'.repeat(43)}`, 'not an access token'],
    ['a code', () => `mcp_code_${'a'.repeat(43)}`, 'not an access token'],
    ['a client secret', () => `secret_${'a'.repeat(43)}`, 'not an access token'],
    ['a client id', () => `mcp_${randomUUID()}`, 'not an access token'],
    ['an empty text', () => '', 'not an access token'],
    ['the prefix alone', () => 'mcp_access_', 'not an access token'],
    ['capitals', () => `mcp_access_${randomUUID().toUpperCase()}`, 'not an access token'],
    ['a token with more text', () => `mcp_access_${randomUUID()} x`, 'not an access token'],
    [
      'a session of a user',
      async () => (await aMintedToken(router, pets, { type: 'session+jwt' })).text,
      'not of the type of minted tokens',
    ],
    [
      'a JWT of another issuer',
      async () => (await aMintedToken(router, pets, { claims: { iss: 'https://else' } })).text,
      'unknown issuer',
    ],
    [
      'a token that was minted for longer than an hour',
      async () => (await aMintedToken(router, pets, { claims: { exp: NOON + 3601 } })).text,
      'token lives too long',
    ],
  ])('cannot be %s', async (_, token, why) => {
    expect(await outcome(await token())).toEqual([401, why]);
  });

  test('may be one that its owner minted for an hour, until that is revoked', async () => {
    const closed = await router.publish('closed-pets', {
      authMethod: 'oauth',
      access: { mode: 'owner' },
    });
    const { text, jti } = await aMintedToken(router, closed);
    expect(await outcome(text, 'closed-pets')).toEqual([200, undefined]);
    expect(await outcome(text)).toEqual([401, 'token for another audience']);

    router.clock.time = NOON + 3600;
    expect(await outcome(text, 'closed-pets')).toEqual([401, 'token expired']);
    router.clock.time = NOON;
    await router.owner.mintedTokens.revoke(jti);
    expect(await outcome(text, 'closed-pets')).toEqual([401, 'token revoked']);
  });

  test('cannot be the fingerprint of a token', async () => {
    const token = fingerprint(await anAccessToken(router, pets));
    expect(await outcome(`mcp_access_${token}`)).toEqual([401, 'not an access token']);
  });

  test('cannot be a stored refresh token', async () => {
    const token = `mcp_refresh_${'b'.repeat(43)}`;
    await accessTokensOf(router).put(fingerprint(token), await stored());

    expect(await outcome(token)).toEqual([401, 'not an access token']);
  });

  const stored = async (): Promise<AccessToken> => {
    const found = await accessTokensOf(router).find(fingerprint(await anAccessToken(router, pets)));
    return found!;
  };
});

describe('the access policy of a deployment', () => {
  const opened = async (slug: string, access: AccessPolicy, over: Partial<AccessToken>) => {
    const deployment = await router.publish(slug, { authMethod: 'oauth', access });
    return outcome(await anAccessToken(router, deployment, over), slug);
  };
  const LIST: AccessPolicy = {
    mode: 'allow_list',
    emails: ['ann@example.com'],
    domains: ['firm.example'],
  };

  test('can admit the owner only', async () => {
    const policy: AccessPolicy = { mode: 'owner' };

    expect(await opened('own-1', policy, { userId: 'user-1' })).toEqual([200, undefined]);
    expect(await opened('own-2', policy, {})).toEqual([401, 'not in the access policy']);
  });

  test('can admit the email addresses and domains of an allow-list', async () => {
    expect(await opened('list-1', LIST, { email: 'Ann@Example.com' })).toEqual([200, undefined]);
    expect(await opened('list-2', LIST, { email: 'bob@firm.example' })).toEqual([200, undefined]);
    expect(await opened('list-3', LIST, { email: 'bob@example.com' })).toEqual([
      401,
      'not in the access policy',
    ]);
  });

  test('is checked at every request, and a change takes effect within 15 seconds', async () => {
    const clock = aClock();
    const { store, ports, owner } = router;
    const deployments = dynamoDeployments(store.instance(), store.tableName('deployments'), clock);
    const send = server({ ...ports, clock, deployments });
    const listed = await router.publish('listed', { authMethod: 'oauth', access: LIST });
    const token = await anAccessToken(router, listed, { email: 'ann@example.com' });
    const status = async () =>
      (await send(post(at('listed', '/messages'), rpc('ping'), bearer(token)))).statusCode;
    expect(await status()).toBe(200);

    const access: AccessPolicy = { ...LIST, emails: [] };
    await owner.deploymentEditor.replace(listed, { ...listed, access, revision: 2 });
    clock.time += 15;
    expect(await status()).toBe(401);
  });

  test('takes effect within 15 seconds of a change of the auth method', async () => {
    const clock = aClock();
    const { store, ports, owner } = router;
    const deployments = dynamoDeployments(store.instance(), store.tableName('deployments'), clock);
    const send = server({ ...ports, clock, deployments });
    const open = await router.publish('opened', { authMethod: 'none' });
    const status = async () =>
      (await send(post(at('opened', '/messages'), rpc('ping')))).statusCode;
    expect(await status()).toBe(200);

    await owner.deploymentEditor.replace(open, { ...open, authMethod: 'oauth', revision: 2 });
    clock.time += 15;
    expect(await status()).toBe(401);
  });
});

describe('a failing DynamoDB table of access tokens', () => {
  test.each(['throttle', 'fail', 'drop'] as const)('admits nobody: %s', async (kind) => {
    const token = await anAccessToken(router, pets);
    await say(token);
    router.store.aws.faults.inject({ kind, on: { operation: 'GetItem' } });
    const { statusCode, headers } = await say(token);

    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  });

  test('does not affect a public deployment', async () => {
    await router.publish('free', { authMethod: 'none' });
    const accessTokens = dynamoAccessTokens(router.store.instance(), 'no-such-table');
    const send = server({ ...router.ports, accessTokens });
    const event = post(at('free', '/messages'), rpc('ping'), bearer(`mcp_access_${randomUUID()}`));

    expect((await send(event)).statusCode).toBe(200);
  });

  test('does not affect the answer for an unknown deployment', async () => {
    const accessTokens = dynamoAccessTokens(router.store.instance(), 'no-such-table');
    const send = server({ ...router.ports, accessTokens });
    const event = post(
      at('nobody', '/messages'),
      rpc('ping'),
      bearer(`mcp_access_${randomUUID()}`),
    );

    expect((await send(event)).statusCode).toBe(404);
  });
});

describe('the access token of a request', () => {
  test('is never forwarded to the target API', async () => {
    const token = await anAccessToken(router, pets);
    const event = post(
      at('pets', '/messages'),
      rpc('tools/call', { name: 'getPet', arguments: { id: 1 } }),
      { ...bearer(token), cookie: `a=${token}`, 'x-api-key': token, 'mcp-session-id': token },
    );
    const { statusCode, body } = await router.send(event);
    const { result } = JSON.parse(body) as { result: { content: [{ text: string }] } };

    expect(statusCode).toBe(200);
    expect(result.content[0].text).toContain('"/echo/pets/1"');
    expect(result.content[0].text).not.toContain('mcp_access_');
    expect(result.content[0].text.toLowerCase()).not.toContain('authorization');
  });

  test('is never logged, whether it is valid or not', async () => {
    const before = router.lines.length;
    const token = await anAccessToken(router, pets);
    await say(token, rpc('tools/call', { name: 'getPet', arguments: { id: 1 } }));
    await say(`${token}x`);
    await say(token, rpc('ping'), 'nobody');
    await accessTokensOf(router).revoke(fingerprint(token));
    await say(token);

    const lines = JSON.stringify(router.lines.slice(before));
    expect(lines).not.toContain(token);
    expect(lines).not.toContain(fingerprint(token));
  });
});
