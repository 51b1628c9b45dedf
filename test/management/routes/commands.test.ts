import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { operatorCommands } from '../../../layers/management/routes/operator.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { BASE_URL, startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, post, rpc } from '../../support/mcp/router-events.ts';
import { bearer } from '../../support/mcp/router-tokens.ts';

let router: TestRouter;
let manage: ReturnType<typeof operatorCommands>;

beforeAll(async () => {
  router = await startRouter();
  manage = operatorCommands(router.owner, []);
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

describe('publishing a deployment as an operator', () => {
  test('defaults to the free plan, access for the owner only, no issuer and any origin', async () => {
    await manage(publication('plain'));

    expect(await read('plain')).toMatchObject({
      ownerPlan: 'free',
      access: { mode: 'owner' },
      allowedOrigins: [],
    });
    expect(await read('plain')).not.toHaveProperty('jwtIssuer');
  });

  test('accepts a plan, an access policy, an issuer and origins, and keeps them', async () => {
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
  ])('with only a new %s changes the deployment without a new version', async (what, over) => {
    await manage(publication(`changed-${what}`));

    expect(await manage(publication(`changed-${what}`, over))).toMatchObject({ changed: true });
    expect(await manage(publication(`changed-${what}`, over))).toMatchObject({ changed: false });
    const { id, version, history } = (await read(`changed-${what}`))!;
    expect([version, history]).toEqual([1, [1]]);
    expect(await router.owner.versions.notes(id, 2)).toBeUndefined();
  });

  test('with other tools and another access policy makes one new version', async () => {
    await manage(publication('both'));
    const apiBaseUrl = 'https://pets.example.org';
    await manage(publication('both', { access: { mode: 'any_user' }, apiBaseUrl }));

    expect(await read('both')).toMatchObject({ version: 2, history: [1, 2] });
  });

  test('sets whether tools are listed or searched each time', async () => {
    const first = await manage(publication('searched', { toolMode: 'search' }));
    const again = await manage(publication('searched', { toolMode: 'search' }));
    const listed = await manage(publication('searched'));

    expect(first).toMatchObject({ ok: true, deployment: { toolMode: 'search', version: 1 } });
    expect(again).toMatchObject({ ok: true, changed: false });
    expect(listed).toMatchObject({ ok: true, deployment: { toolMode: 'operations', version: 2 } });
  });

  test('sets whether results are structured each time', async () => {
    const settings = async (over: object) => {
      await manage(publication('structured', over));
      return (await read('structured'))?.publication;
    };
    expect(await settings({ structuredOutput: 'on' })).toMatchObject({ structuredOutput: 'on' });
    expect(await settings({})).not.toHaveProperty('structuredOutput');
  });

  test.each([
    ['an unknown mode', { toolMode: 'all' }, 'toolMode'],
    ['an unknown switch', { structuredOutput: true }, 'structuredOutput'],
    ['an unknown plan', { ownerPlan: 'gold' }, 'ownerPlan'],
    ['an unknown policy', { access: { mode: 'everybody' } }, 'access.mode'],
    ['a malformed email', { access: { mode: 'allow_list', emails: ['ann'] } }, 'access.emails.0'],
    [
      'a malformed domain',
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
      'an algorithm with a shared secret',
      { jwtIssuer: { ...ISSUER, algorithms: ['HS256'] } },
      'jwtIssuer.algorithms.0',
    ],
    ['a broken URL', { jwtIssuer: { ...ISSUER, jwksUri: 'keys' } }, 'jwtIssuer.jwksUri'],
    ['a file', { jwtIssuer: { ...ISSUER, jwksUri: 'file:///etc/passwd' } }, 'jwtIssuer.jwksUri'],
    [
      'half an issuer',
      { jwtIssuer: { issuer: 'https://issuer.example.com' } },
      'jwtIssuer.jwksUri',
    ],
  ])('is refused with %s', async (_, over, where) => {
    await expect(manage(publication('bad', over))).rejects.toThrow(
      `not a command of this function: ${where}: `,
    );
    expect(await read('bad')).toBeUndefined();
  });
});

describe('minting a token as an operator', () => {
  const wanted = { operator: 'mint-token', slug: 'minting', ownerId: 'user-1' };
  beforeAll(async () => {
    await manage(publication('minting'));
    await manage(publication('login', { authMethod: 'oauth' }));
    await manage(publication('public', { authMethod: 'none' }));
  });
  interface Answer {
    readonly ok: boolean;
    readonly token: string;
    readonly jti: string;
  }
  const minted = async (over: object = {}) => (await manage({ ...wanted, ...over })) as Answer;
  const status = async (token: string) =>
    (await router.send(post(at('minting', '/messages'), rpc('ping'), bearer(token)))).statusCode;

  test('returns a JWT that opens the deployment for a day', async () => {
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

  test('stores the id of the token but not the token', async () => {
    const { token, jti } = await minted({ name: 'ci', expiresInSeconds: 60 });
    const record = await router.owner.mintedTokens.find(jti);

    expect(record).toEqual({
      jti,
      deploymentId: (await read('minting'))?.id,
      name: 'ci',
      ownKey: true,
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
  ])('grants the requested scopes %p', async (scope, granted) => {
    expect(await minted({ scope })).toMatchObject({ scope: granted });
  });

  test.each([1, 86_400])('accepts a lifetime of %d seconds', async (expiresInSeconds) => {
    expect(await minted({ expiresInSeconds })).toMatchObject({
      expiresAt: NOON + expiresInSeconds,
    });
  });

  test.each([
    ['for a lifetime of zero', { expiresInSeconds: 0 }, 'invalid_request', '/expires_in'],
    ['for over one day', { expiresInSeconds: 86_401 }, 'invalid_request', '/expires_in'],
    ['for half a second', { expiresInSeconds: 0.5 }, 'invalid_request', '/expires_in'],
    ['for an unknown scope', { scope: 'mcp.tools.read mcp.admin' }, 'invalid_request', '/scope'],
    ['for an empty scope', { scope: '' }, 'invalid_request', '/scope'],
    ['for an identity scope', { scope: 'openid' }, 'invalid_request', '/scope'],
    [
      'for over an hour at a deployment that uses oauth',
      { slug: 'login', expiresInSeconds: 3601 },
      'invalid_request',
      '/expires_in',
    ],
    ['at a deployment that is public', { slug: 'public' }, 'invalid_request', '/slug'],
    ['for another owner', { ownerId: 'user-2' }, 'not_found', undefined],
    ['for an unknown deployment', { slug: 'nowhere' }, 'not_found', undefined],
    ['for a malformed slug', { slug: '../x' }, 'not_found', undefined],
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

describe('revoking a token as an operator', () => {
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

  test('takes effect at the next request and may be repeated', async () => {
    const { token, jti } = await minted();
    expect(await status(token)).toBe(200);

    expect(await revoke(jti)).toEqual({ ok: true });
    expect(await status(token)).toBe(401);
    expect(await revoke(jti, { ownerId: 'user-1' })).toEqual({ ok: true });
  });

  test.each([
    ['of another deployment', { slug: 'other' }],
    ['of another owner', { ownerId: 'user-2' }],
    ['of an unknown deployment', { slug: 'nowhere' }],
    ['with an unknown id', { jti: 'unheard-of' }],
  ])('does not revoke a token %s', async (_, over) => {
    const { token, jti } = await minted();

    expect(await revoke(jti, over)).toMatchObject({ ok: false, code: 'not_found' });
    expect(await status(token)).toBe(200);
  });
});

describe('an event that is not an operator command', () => {
  test.each([
    ['no event', undefined, 'operator'],
    ['a request of API Gateway', { rawPath: '/v1' }, 'operator'],
    ['an unknown command', { operator: 'destroy' }, 'operator'],
    ['an inherited name', { operator: 'constructor' }, 'operator'],
    ['a list of commands', { operator: ['publish'] }, 'operator'],
    ['a command without a required field', { operator: 'mint-token', slug: 'a' }, 'ownerId'],
    ['an unknown field', { operator: 'revoke-token', slug: 'a', jti: 'b', force: true }, ''],
  ])('is an error: %s', async (_, event, where) => {
    await expect(manage(event)).rejects.toThrow(`not a command of this function: ${where}: `);
  });
});
