import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { base64url, exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { anIssuer, type TestIssuer } from '../support/oauth/jwt-issuer.ts';
import { CLIENTS } from '../support/mcp/mcp-clients.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

let service: WholeService;
let owner: Person;
let server: PublishedServer;

beforeAll(async () => {
  service = await startWholeService();
  owner = await service.person();
  server = await service.publish(owner, { authMethod: 'jwt' });
});
afterAll(() => service.stop());

const LIST = { method: 'tools/list' };
const CALL = { method: 'tools/call', params: { name: 'getBook', arguments: { book_id: 1 } } };

const send = (url: string, token: string, request: object = LIST): Promise<Response> =>
  service.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
  });

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** The middle of a JWT, or its head, unread. */
const part = (token: string, index: 0 | 1 | 2): string => token.split('.')[index] ?? '';

const json = (value: object): string => base64url.encode(JSON.stringify(value));

describe('a token that the owner minted', () => {
  const mint = async (
    over: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly token: string; readonly jti: string }> => {
    const command = { operator: 'mint-token', ownerId: owner.id, slug: server.slug, ...over };
    const { token = '', jti = '' } = await service.operate(command);
    service.wire.plant('minted token', token);
    return { token, jti };
  };

  test.each(CLIENTS)('lets %s in', async (_name, connect) => {
    const { token } = await mint();
    const client = await connect(server.messagesUrl, {
      headers: { authorization: `Bearer ${token}` },
      fetch: service.fetch,
    });

    const { content } = await client.callTool({ name: 'getBook', arguments: { book_id: 1 } });

    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ id: 1 });
    await client.close();
  });

  test('passes the strict validation of oauth4webapi with the published keys', async () => {
    const { token, jti } = await mint();
    const issuer = new URL(service.issuer);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const request = new Request(server.messagesUrl, {
      headers: { authorization: `Bearer ${token}` },
    });

    const claims = await oauth.validateJwtAccessToken(as, request, server.messagesUrl, {
      ...insecure,
      signingAlgorithms: ['ES256'],
    });

    expect(claims).toMatchObject({ sub: owner.id, jti });
  });

  test('is valid at /messages and at the base URL', async () => {
    const { token } = await mint();
    expect((await send(server.messagesUrl, token)).status).toBe(200);
    expect((await send(server.url, token)).status).toBe(200);
  });

  test('allows only the methods of its scope', async () => {
    const { token } = await mint({ scope: 'mcp.tools.read' });

    expect((await send(server.messagesUrl, token)).status).toBe(200);

    const refused = await send(server.messagesUrl, token, CALL);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="mcp", error="insufficient_scope", scope="[^"]*mcp\.tools\.execute[^"]*"$/,
    );
  });

  test('can be revoked without an effect on other tokens', async () => {
    const [ended, other] = [await mint(), await mint()];

    await service.operate({ operator: 'revoke-token', slug: server.slug, jti: ended.jti });

    expect((await send(server.messagesUrl, ended.token)).status).toBe(401);
    expect((await send(server.messagesUrl, other.token)).status).toBe(200);
  });

  test('is refused at other jwt and oauth deployments', async () => {
    const { token } = await mint();
    for (const authMethod of ['jwt', 'oauth']) {
      const other = await service.publish(owner, { authMethod });
      expect((await send(other.messagesUrl, token)).status).toBe(401);
    }
  });

  const FORGERIES: readonly (readonly [string, (token: string) => string | Promise<string>])[] = [
    ['that is empty', () => ''],
    ['that is not a JWT', () => 'mcp_access_8c9d1a52-7f0e-4c53-9c5f-3f6b7c1f2a10'],
    ['without its signature', (token) => `${part(token, 0)}.${part(token, 1)}.`],
    [
      'with other claims',
      (token) => {
        const claims = JSON.parse(Buffer.from(part(token, 1), 'base64url').toString()) as object;
        const more = json({ ...claims, scope: 'mcp.tools.read mcp.tools.execute openid' });
        return `${part(token, 0)}.${more}.${part(token, 2)}`;
      },
    ],
    [
      'with the algorithm none',
      (token) => `${json({ alg: 'none', typ: 'at+jwt' })}.${part(token, 1)}.`,
    ],
    [
      'with the public key as an HMAC secret',
      async (token) => {
        const keys = await service.fetch(`${service.issuer}/.well-known/jwks.json`);
        const {
          keys: [key = {}],
        } = (await keys.json()) as { keys: object[] };
        const start = `${json({ alg: 'HS256', typ: 'at+jwt' })}.${part(token, 1)}`;
        const mac = createHmac('sha256', JSON.stringify(key)).update(start).digest('base64url');
        return `${start}.${mac}`;
      },
    ],
    [
      'with its own key in the header',
      async (token) => {
        const { privateKey, publicKey } = await generateKeyPair('ES256');
        const jwk = await exportJWK(publicKey);
        const claims = JSON.parse(Buffer.from(part(token, 1), 'base64url').toString());
        return new SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', jwk })
          .sign(privateKey);
      },
    ],
  ];

  test.each(FORGERIES)('cannot be forged as one %s', async (_what, forge) => {
    const { token } = await mint();

    const answer = await send(server.messagesUrl, await forge(token));

    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="mcp"/);
  });

  test('is different from the session token of its owner', async () => {
    const sessions = `${service.baseUrl}/mcp-management/sessions`;
    const { email, password } = owner;
    const opened = await service.fetch(sessions, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { access_token: session } = (await opened.json()) as { access_token: string };

    expect((await send(server.messagesUrl, session)).status).toBe(401);
  });

  test('can only be minted by the owner of the deployment', async () => {
    await expect(mint({ ownerId: 'somebody-else' })).rejects.toThrow(/refused/);
  });

  test('is requested by a challenge without resource metadata', async () => {
    const challenged = await service.fetch(server.messagesUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...LIST }),
    });
    expect(challenged.status).toBe(401);
    expect(challenged.headers.get('www-authenticate')).not.toContain('resource_metadata');

    const { origin, pathname } = new URL(server.messagesUrl);
    const metadata = `${origin}/.well-known/oauth-protected-resource${pathname}`;
    expect((await service.fetch(metadata)).status).toBe(404);
  });
});

describe('a token of an issuer that the owner chose', () => {
  let issuer: TestIssuer;
  let trusting: PublishedServer;

  beforeAll(async () => {
    issuer = await anIssuer('RS256');
    trusting = await service.publish(owner, { authMethod: 'jwt', jwtIssuer: issuer.config });
  });
  afterAll(async () => {
    await issuer[Symbol.asyncDispose]();
  });

  const sign = (claims: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    issuer.sign({ exp: inSeconds(3600), ...claims });

  test.each(CLIENTS)('lets %s in', async (_name, connect) => {
    const client = await connect(trusting.messagesUrl, {
      headers: { authorization: `Bearer ${await sign()}` },
      fetch: service.fetch,
    });

    expect((await client.listTools()).tools).toHaveLength(7);
    await client.close();
  });

  test.each([
    ['for another audience', () => sign({ aud: 'api://birds' })],
    ['with this service as its issuer', () => sign({ iss: service.issuer })],
    ['that expired', () => sign({ exp: inSeconds(-120) })],
    ['signed by a key that the issuer does not have', () => otherKey()],
  ])('is refused %s', async (_what, token) => {
    const answer = await send(trusting.messagesUrl, await token());

    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  const otherKey = async (): Promise<string> => {
    const stranger = await anIssuer('RS256');
    const token = await stranger.sign({ exp: inSeconds(3600) });
    await stranger[Symbol.asyncDispose]();
    return token;
  };

  test('is refused at a deployment whose owner did not choose the issuer', async () => {
    expect((await send(server.messagesUrl, await sign())).status).toBe(401);
  });

  test('does not replace the tokens that the owner mints', async () => {
    const { token = '' } = await service.operate({
      operator: 'mint-token',
      ownerId: owner.id,
      slug: trusting.slug,
    });
    service.wire.plant('minted token', token);

    expect((await send(trusting.messagesUrl, token)).status).toBe(200);
    expect((await send(trusting.messagesUrl, await sign())).status).toBe(200);
  });

  test('causes one fetch of the keys for many requests', async () => {
    const before = issuer.asked();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => send(trusting.messagesUrl, await sign())),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(issuer.asked()).toBe(before);
  });
});

test('no secret was logged, stored or answered where it should not be', async () => {
  expect(service.wire.secrets().length).toBeGreaterThan(20);
  expect(await service.leaks()).toEqual([]);
});
