import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { operatorCommands } from '../../../lambdas/management/operator.ts';
import type { Deployment } from '../../../layers/core/domain/deployment.ts';
import { NOON } from '../../adapters/dynamodb/fixtures.ts';
import { BASE_URL, startRouter, type TestRouter } from '../../support/router.ts';
import { at, post, rpc } from '../../support/router-events.ts';
import { bearer } from '../../support/router-tokens.ts';

let router: TestRouter;
let manage: ReturnType<typeof operatorCommands>;

beforeAll(async () => {
  router = await startRouter();
  manage = operatorCommands(router.owner);
});
afterAll(() => router.stop());

const OPENAPI = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.com' }],
  paths: {
    '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } },
  },
});
const publication = (slug: string, over: object = {}) => ({
  operator: 'publish',
  ownerId: 'user-1',
  slug,
  authMethod: 'jwt',
  openapi: OPENAPI,
  ...over,
});
const read = (slug: string): Promise<Deployment | undefined> =>
  router.owner.deploymentEditor.read(slug);
const ISSUER = {
  issuer: 'https://issuer.example.com/',
  jwksUri: 'https://issuer.example.com/keys',
  audience: 'api://pets',
  algorithms: ['RS256'],
};

describe('publishing', () => {
  test('begins with the free plan, the owner alone, no issuer and any origin', async () => {
    await manage(publication('plain'));

    expect(await read('plain')).toMatchObject({
      ownerPlan: 'free',
      access: { mode: 'owner' },
      allowedOrigins: [],
    });
    expect(await read('plain')).not.toHaveProperty('jwtIssuer');
  });

  test('takes a plan, a policy, an issuer and origins, and keeps them from then on', async () => {
    const wanted = {
      ownerPlan: 'pro',
      access: { mode: 'allow_list', emails: ['ann@example.com'], domains: ['firm.example'] },
      jwtIssuer: ISSUER,
      allowedOrigins: ['https://app.example.com'],
    };
    await manage(publication('rich', wanted));
    expect(await read('rich')).toMatchObject(wanted);

    expect(await manage(publication('rich'))).toMatchObject({ ok: true, changed: false });
    await manage(publication('rich', { name: 'New' }));
    expect(await read('rich')).toMatchObject({ name: 'New', ...wanted });
  });

  test.each([
    ['plan', { ownerPlan: 'pro' }],
    ['policy', { access: { mode: 'any_user' } }],
    ['list', { access: { mode: 'allow_list', emails: ['bob@example.com'] } }],
    ['issuer', { jwtIssuer: ISSUER }],
    ['origins', { allowedOrigins: ['https://app.example.com'] }],
  ])('of a new %s alone is a change, and no new version', async (what, over) => {
    await manage(publication(`changed-${what}`));

    expect(await manage(publication(`changed-${what}`, over))).toMatchObject({ changed: true });
    expect(await manage(publication(`changed-${what}`, over))).toMatchObject({ changed: false });
    const { id, version, history } = (await read(`changed-${what}`))!;
    expect([version, history]).toEqual([1, [1]]);
    expect(await router.owner.versions.stored(id)).toHaveLength(1);
  });

  test('of other tools and another policy is one new version', async () => {
    await manage(publication('both'));
    const apiBaseUrl = 'https://pets.example.org';
    await manage(publication('both', { access: { mode: 'any_user' }, apiBaseUrl }));

    expect(await read('both')).toMatchObject({ version: 2, history: [1, 2] });
  });

  test('says whether tools are listed or searched, each time anew', async () => {
    const first = await manage(publication('searched', { toolMode: 'search' }));
    const again = await manage(publication('searched', { toolMode: 'search' }));
    const listed = await manage(publication('searched'));

    expect(first).toMatchObject({ ok: true, deployment: { toolMode: 'search', version: 1 } });
    expect(again).toMatchObject({ ok: true, changed: false });
    expect(listed).toMatchObject({ ok: true, deployment: { toolMode: 'operations', version: 2 } });
  });

  test.each([
    ['an unknown mode', { toolMode: 'all' }, 'toolMode'],
    ['an unknown plan', { ownerPlan: 'gold' }, 'ownerPlan'],
    ['an unknown policy', { access: { mode: 'everybody' } }, 'access.mode'],
    ['no e-mail', { access: { mode: 'allow_list', emails: ['ann'] } }, 'access.emails.0'],
    [
      'no domain',
      { access: { mode: 'allow_list', domains: ['@firm.example'] } },
      'access.domains.0',
    ],
    ['no algorithms', { jwtIssuer: { ...ISSUER, algorithms: [] } }, 'jwtIssuer.algorithms'],
    [
      'algorithm none',
      { jwtIssuer: { ...ISSUER, algorithms: ['none'] } },
      'jwtIssuer.algorithms.0',
    ],
    [
      'a shared secret',
      { jwtIssuer: { ...ISSUER, algorithms: ['HS256'] } },
      'jwtIssuer.algorithms.0',
    ],
    ['no URL', { jwtIssuer: { ...ISSUER, jwksUri: 'keys' } }, 'jwtIssuer.jwksUri'],
    ['a file', { jwtIssuer: { ...ISSUER, jwksUri: 'file:///etc/passwd' } }, 'jwtIssuer.jwksUri'],
    [
      'half an issuer',
      { jwtIssuer: { issuer: 'https://issuer.example.com' } },
      'jwtIssuer.jwksUri',
    ],
  ])('is no command with %s', async (_, over, where) => {
    await expect(manage(publication('bad', over))).rejects.toThrow(
      `not a command of this function: ${where}: `,
    );
    expect(await read('bad')).toBeUndefined();
  });
});

describe('D14 minting a token', () => {
  const wanted = { operator: 'mint-token', slug: 'minting', ownerId: 'user-1' };
  beforeAll(async () => {
    await manage(publication('minting'));
    await manage(publication('login', { authMethod: 'oauth' }));
  });
  interface Answer {
    readonly ok: boolean;
    readonly token: string;
    readonly jti: string;
  }
  const minted = async (over: object = {}) => (await manage({ ...wanted, ...over })) as Answer;
  const status = async (token: string) =>
    (await router.send(post(at('minting', '/messages'), rpc('ping'), bearer(token)))).statusCode;

  test('answers a JWT that opens the deployment for a day', async () => {
    const answer = await minted();

    expect(answer).toEqual({
      ok: true,
      token: expect.any(String),
      jti: expect.any(String),
      scope: 'mcp.tools.read mcp.tools.execute',
      expiresAt: NOON + 86_400,
    });
    expect(decodeProtectedHeader(answer.token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(decodeJwt(answer.token)).toEqual({
      iss: `${BASE_URL}/mcp-oauth-server`,
      sub: 'user-1',
      aud: `${BASE_URL}/mcp-router/minting/messages`,
      client_id: 'mcp-management',
      jti: answer.jti,
      scope: 'mcp.tools.read mcp.tools.execute',
      iat: NOON,
      exp: NOON + 86_400,
    });
    expect(await status(answer.token)).toBe(200);
  });

  test('keeps no token, only that there is one', async () => {
    const { token, jti } = await minted({ name: 'ci', expiresInSeconds: 60 });
    const record = await router.owner.mintedTokens.find(jti);

    expect(record).toEqual({
      jti,
      deploymentId: (await read('minting'))?.id,
      name: 'ci',
      scopes: ['mcp.tools.read', 'mcp.tools.execute'],
      createdAt: NOON,
      expiresAt: NOON + 60,
      revoked: false,
    });
    expect(JSON.stringify([record, router.lines])).not.toContain(token);
  });

  test.each([
    ['mcp.tools.read', 'mcp.tools.read'],
    ['mcp.tools.execute mcp.tools.read', 'mcp.tools.read mcp.tools.execute'],
  ])('grants %p where that is asked for', async (scope, granted) => {
    expect(await minted({ scope })).toMatchObject({ scope: granted });
  });

  test.each([1, 86_400])('may be for %d seconds', async (expiresInSeconds) => {
    expect(await minted({ expiresInSeconds })).toMatchObject({
      expiresAt: NOON + expiresInSeconds,
    });
  });

  test.each([
    ['for no time', { expiresInSeconds: 0 }, 'invalid_request', '/expiresInSeconds'],
    ['for more than a day', { expiresInSeconds: 86_401 }, 'invalid_request', '/expiresInSeconds'],
    ['for half a second', { expiresInSeconds: 0.5 }, 'invalid_request', '/expiresInSeconds'],
    ['for an unknown scope', { scope: 'mcp.tools.read mcp.admin' }, 'invalid_request', '/scope'],
    ['for no scope', { scope: '' }, 'invalid_request', '/scope'],
    ['for an identity', { scope: 'openid' }, 'invalid_request', '/scope'],
    ['in mode oauth', { slug: 'login' }, 'invalid_request', '/slug'],
    ['for another owner', { ownerId: 'user-2' }, 'not_found', undefined],
    ['for no deployment', { slug: 'nowhere' }, 'not_found', undefined],
    ['for what is no slug', { slug: '../x' }, 'not_found', undefined],
  ])('is refused %s', async (_, over, code, where) => {
    const findings = where === undefined ? [] : [expect.objectContaining({ where })];
    expect(await minted(over)).toEqual({
      ok: false,
      code,
      description: expect.any(String),
      findings,
    });
  });
});

describe('D14 revoking a token', () => {
  beforeAll(async () => {
    await manage(publication('revoking'));
    await manage(publication('other'));
  });
  const minted = async () => {
    const command = { operator: 'mint-token', slug: 'revoking', ownerId: 'user-1' };
    return (await manage(command)) as { token: string; jti: string };
  };
  const revoke = (jti: string, over: object = {}) =>
    manage({ operator: 'revoke-token', slug: 'revoking', jti, ...over });
  const status = async (token: string) =>
    (await router.send(post(at('revoking', '/messages'), rpc('ping'), bearer(token)))).statusCode;

  test('ends it from the next request on, and may be repeated', async () => {
    const { token, jti } = await minted();
    expect(await status(token)).toBe(200);

    expect(await revoke(jti)).toEqual({ ok: true });
    expect(await status(token)).toBe(401);
    expect(await revoke(jti, { ownerId: 'user-1' })).toEqual({ ok: true });
  });

  test.each([
    ['of another deployment', { slug: 'other' }],
    ['of another owner', { ownerId: 'user-2' }],
    ['of no deployment', { slug: 'nowhere' }],
    ['that there is not', { jti: 'unheard-of' }],
  ])('does not end one %s', async (_, over) => {
    const { token, jti } = await minted();

    expect(await revoke(jti, over)).toMatchObject({ ok: false, code: 'not_found' });
    expect(await status(token)).toBe(200);
  });
});

describe('what is no command', () => {
  test.each([
    ['nothing', undefined, 'operator'],
    ['a request of the gateway', { rawPath: '/v1' }, 'operator'],
    ['an unknown command', { operator: 'destroy' }, 'operator'],
    ['an inherited name', { operator: 'constructor' }, 'operator'],
    ['a list of commands', { operator: ['publish'] }, 'operator'],
    ['too little', { operator: 'mint-token', slug: 'a' }, 'ownerId'],
    ['too much', { operator: 'revoke-token', slug: 'a', jti: 'b', force: true }, ''],
  ])('is an error: %s', async (_, event, where) => {
    await expect(manage(event)).rejects.toThrow(`not a command of this function: ${where}: `);
  });
});
