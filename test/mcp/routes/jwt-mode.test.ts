import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { server } from '../../../layers/mcp/routes/server.ts';
import { inOrder } from '../../../layers/mcp/steps/answer-rpc.ts';
import { kmsClient } from '../../../layers/platform/kms/client.ts';
import { kmsSigningKeys } from '../../../layers/tokens/store/signing-keys.ts';
import { firstRoles } from '../../../layers/tokens/rules/signing-keys.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { aUser } from '../../support/oauth/oauth-fixtures.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import { anIssuer, type TestIssuer } from '../../support/oauth/jwt-issuer.ts';
import { BASE_URL, startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, post, rpc } from '../../support/mcp/router-events.ts';
import { aMintedToken, bearer, type TestMinting } from '../../support/mcp/router-tokens.ts';

let router: TestRouter;
let pets: Deployment;

beforeAll(async () => {
  router = await startRouter();
  pets = await router.publish('pets', { authMethod: 'jwt', ownerPlan: 'pro' });
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
const BASE = `${BASE_URL}/mcp-router/pets`;

describe('a JWT that the service minted', () => {
  const minted = async (minting?: TestMinting) => (await aMintedToken(router, pets, minting)).text;

  test('opens its deployment', async () => {
    const call = rpc('tools/call', { name: 'getPet', arguments: { id: 7 } });
    const { statusCode, body } = await say(await minted(), call);

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
  });

  test.each([BASE, `${BASE}/`, `${BASE}/messages`, `${BASE}/messages/`, [BASE, 'other']])(
    'may have the audience %j',
    async (aud) => {
      expect(await outcome(await minted({ claims: { aud } }))).toEqual([200, undefined]);
    },
  );

  test('is valid up to the last second before it expires', async () => {
    const token = await minted();
    router.clock.time = NOON + 3599;
    expect(await outcome(token)).toEqual([200, undefined]);
    router.clock.time = NOON + 3600;
    expect(await outcome(token)).toEqual([401, 'token expired']);
  });

  test('is no guess once it has ended or was revoked: others of its address are let in', async () => {
    const limit = DEFAULT_LIMITS.invalid_tokens_per_minute_per_ip;
    const of = (count: number) =>
      Promise.all(Array.from({ length: count }, () => aMintedToken(router, pets)));
    const show = async ({ text }: { readonly text: string }) =>
      (await router.send(post(at('pets', '/messages'), rpc('ping'), bearer(text), '192.0.2.202')))
        .statusCode;
    const revoked = await of(limit + 1);
    for (const { jti } of revoked) await router.owner.mintedTokens.revoke(jti);
    expect(new Set(await inOrder(revoked, 5, show))).toEqual(new Set([401]));
    const ended = await of(limit + 1);
    router.clock.time = NOON + 3600;
    expect(new Set(await inOrder(ended, 5, show))).toEqual(new Set([401]));
    router.clock.time = NOON + 30;
    expect(await inOrder(await of(1), 1, show)).toEqual([200]);
  });

  test('is refused with the signature of a session, though there is a record of it', async () => {
    const session = { ...router, owner: router.sessionSigner };
    const { text } = await aMintedToken(session, pets);

    expect(await outcome(text)).toEqual([401, 'signed by a key of another time or use']);
  });

  test('goes on where it was minted before minted tokens had keys of their own', async () => {
    const session = { ...router, owner: router.sessionSigner };
    const { text } = await aMintedToken(session, pets, { isFromBefore: true });
    expect(await outcome(text)).toEqual([200, undefined]);

    const forged = await aMintedToken(router, pets, { isFromBefore: true });
    expect(await outcome(forged.text)).toEqual([401, 'signed by a key of another time or use']);
  });

  test('is refused from the next request after its revocation', async () => {
    const { text, jti } = await aMintedToken(router, pets);
    expect(await outcome(text)).toEqual([200, undefined]);
    await router.owner.mintedTokens.revoke(jti);

    expect(await outcome(text)).toEqual([401, 'token revoked']);
  });

  test.each([
    [
      'for another resource',
      { claims: { aud: `${BASE_URL}/mcp-router/cats` } },
      'token for another audience',
    ],
    ['with an unknown id', { claims: { jti: 'unheard-of' } }, 'unknown token'],
    [
      'for a deployment that had the slug before',
      { deploymentId: 'dep-former' },
      'token for another deployment',
    ],
  ])('is refused %s', async (_, minting, why) => {
    expect(await outcome(await minted(minting))).toEqual([401, why]);
  });

  test.each([
    ['that a user minted before', { minterSignedOutAt: 0 }, [401, 'minter signed out']],
    [
      'that a session minted which the sign-out had just ended',
      { minterSignedOutAt: NOON },
      [401, 'minter signed out'],
    ],
    ['that an operator minted before', {}, [401, 'minter signed out']],
    ['that its user minted after it', { minterSignedOutAt: NOON + 1 }, [200, undefined]],
  ])('after its owner was signed out everywhere, one %s', async (_, minting, expected) => {
    const owner = aUser({ id: randomUUID(), email: `${randomUUID()}@example.com` });
    await router.owner.users.create(owner);
    const slug = `owned-${randomUUID().slice(0, 8)}`;
    const theirs = await router.publish(slug, { authMethod: 'jwt', ownerId: owner.id });
    const { text } = await aMintedToken(router, theirs, minting);
    expect(await outcome(text, slug)).toEqual([200, undefined]);
    await router.owner.users.signOut({ ...owner, signedOutAt: NOON + 1, revision: 2 });

    expect(await outcome(text, slug)).toEqual(expected);
  });

  test('is refused where its subject no longer owns the deployment', async () => {
    const text = await minted({ claims: { sub: 'a-former-owner' } });

    expect(await outcome(text)).toEqual([401, 'token of another owner']);
  });

  test('may be valid for a day', async () => {
    expect(await outcome(await minted({ claims: { exp: NOON + 86_400 } }))).toEqual([
      200,
      undefined,
    ]);
  });

  test('is refused with an altered signature', async () => {
    const [header, claims, signature = ''] = (await minted()).split('.');
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;

    expect(await outcome([header, claims, changed].join('.'))).toEqual([
      401,
      'signature not accepted: ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ]);
  });

  test('with a forged signature costs no read, only its count as an invalid token', async () => {
    const [header, claims] = (await minted()).split('.');
    await say(await minted());
    router.store.aws.calls.reset();
    await say(`${header}.${claims}.c2lnbmF0dXJl`);

    expect(router.store.aws.calls.count({ caller: 'router', operation: 'GetItem' })).toBe(0);
    expect(router.store.aws.calls.count({ caller: 'router' })).toBe(1);
  });

  test('may live for a day, but no longer than an hour where people sign in', async () => {
    const login = await router.publish('login', { authMethod: 'oauth' });
    const claims = { exp: NOON + 86_400 };
    expect(await outcome(await minted({ claims }))).toEqual([200, undefined]);
    const { text } = await aMintedToken(router, login, { claims });

    expect(await outcome(text, 'login')).toEqual([401, 'token lives too long']);
  });

  test('is not checked at a public deployment, even if it has expired', async () => {
    const open = await router.publish('open', { authMethod: 'none' });
    const { text } = await aMintedToken(router, open, { claims: { exp: 1 } });

    expect(await outcome(text, 'open')).toEqual([200, undefined]);
  });

  test('is answered with 503 while its record cannot be read', async () => {
    const token = await minted();
    await say(token);
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'GetItem' } });
    const { statusCode, headers } = await say(token);

    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  });

  test('is answered with 503 while the signing key cannot be read', async () => {
    const access = connectionOf(router.store.aws, 'router');
    const signingKeys = kmsSigningKeys(
      kmsClient(access),
      { keyIds: ['alias/none'], roles: async () => firstRoles(['alias/none']) },
      router.clock,
    );
    const send = server({ ...router.ports, signingKeys, mintingKeys: signingKeys });
    const event = post(at('pets', '/messages'), rpc('ping'), bearer(await minted()));

    expect((await send(event)).statusCode).toBe(503);
    expect(router.lines.at(-1)).toMatchObject({ outcome: 'fault', neighbour: 'kms' });
  });

  test('is never forwarded to the target API', async () => {
    const call = rpc('tools/call', { name: 'getPet', arguments: { id: 1 } });
    const { body } = await say(await minted(), call);

    expect(body).toContain('/echo/pets/1');
    expect(body).not.toContain('eyJ');
    expect(body.toLowerCase()).not.toContain('authorization');
  });

  test('is never logged, whether it is valid or not', async () => {
    const before = router.lines.length;
    const token = await minted();
    await say(token);
    await say(`${token}x`);
    await say(await minted({ claims: { aud: 'CANARY', scope: 'CANARY' } }));

    expect(JSON.stringify(router.lines.slice(before))).not.toMatch(/eyJ|CANARY/);
  });
});

describe('the WWW-Authenticate challenge of a jwt deployment', () => {
  test('names no resource metadata', async () => {
    const { headers, body } = await say('a.b.c');

    expect(headers['www-authenticate']).toBe(
      'Bearer realm="mcp", error="invalid_token", scope="mcp.tools.read mcp.tools.execute"',
    );
    expect(JSON.parse(body)).not.toHaveProperty('resource_metadata');
  });
});

describe('a JWT of the issuer that the owner trusts', () => {
  let issuer: TestIssuer;
  let count = 0;

  const trusting = async (over: Partial<Deployment> = {}): Promise<string> => {
    count += 1;
    const slug = `trusting-${count}`;
    await router.publish(slug, { authMethod: 'jwt', jwtIssuer: issuer.config, ...over });
    return slug;
  };
  beforeAll(async () => {
    issuer = await anIssuer();
  });
  afterAll(async () => {
    await issuer[Symbol.asyncDispose]();
  });

  test('opens the deployment', async () => {
    const { statusCode } = await say(
      await issuer.sign(),
      rpc('tools/call', { name: 'nothing' }),
      await trusting(),
    );
    expect(statusCode).toBe(200);
  });

  test('is accepted for one minute after it expires', async () => {
    const slug = await trusting();
    const token = await issuer.sign({ exp: NOON });
    router.clock.time = NOON + 59;
    expect(await outcome(token, slug)).toEqual([200, undefined]);
    router.clock.time = NOON + 60;
    expect(await outcome(token, slug)).toEqual([401, 'token expired']);
  });

  test.each([
    ['for another audience', { aud: 'api://cats' }, {}, 'token for another audience'],
    [
      'with an unknown key id',
      {},
      { kid: 'x' },
      'signature not accepted: ERR_JWKS_NO_MATCHING_KEY',
    ],
  ])('is refused %s', async (_, claims, header, why) => {
    expect(await outcome(await issuer.sign(claims, header), await trusting())).toEqual([401, why]);
  });

  test('is refused if another key signed it', async () => {
    await using stranger = await anIssuer();
    const token = await stranger.sign();

    expect(await outcome(token, await trusting())).toEqual([
      401,
      'signature not accepted: ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ]);
  });

  test('is refused if its algorithm is not allowed', async () => {
    const jwtIssuer = { ...issuer.config, algorithms: ['ES256' as const] };

    expect(await outcome(await issuer.sign(), await trusting({ jwtIssuer }))).toEqual([
      401,
      'algorithm not allowed',
    ]);
  });

  test('is refused by a deployment that does not trust its issuer', async () => {
    expect(await outcome(await issuer.sign())).toEqual([401, 'unknown issuer']);
  });

  test('cannot name this service as its issuer, whatever the owner configured', async () => {
    const name = `${BASE_URL}/mcp-oauth-server`;
    const jwtIssuer = { ...issuer.config, issuer: name };
    const slug = await trusting({ jwtIssuer });
    const aud = `${BASE_URL}/mcp-router/${slug}`;
    const claims = {
      iss: name,
      aud: [aud, issuer.config.audience],
      iat: NOON,
      jti: 'j',
      scope: '',
    };

    expect(await outcome(await issuer.sign(claims), slug)).toEqual([
      401,
      'not of the type of minted tokens',
    ]);
  });

  test('is accepted beside tokens that the service minted', async () => {
    const slug = await trusting();
    const deployment = (await router.owner.deploymentEditor.read(slug))!;

    expect(await outcome((await aMintedToken(router, deployment)).text, slug)).toEqual([
      200,
      undefined,
    ]);
    expect(await outcome(await issuer.sign(), slug)).toEqual([200, undefined]);
  });

  test('is not subject to the access policy of the deployment', async () => {
    const slug = await trusting({ access: { mode: 'owner' } });

    expect(await outcome(await issuer.sign({ sub: 'anybody' }), slug)).toEqual([200, undefined]);
  });

  test('is no guess once it has ended: all callers of one address are refused, and let in with the next', async () => {
    const slug = await trusting();
    const [office, limit] = ['192.0.2.201', DEFAULT_LIMITS.invalid_tokens_per_minute_per_ip];
    const show = async (token: string) =>
      (await router.send(post(at(slug, '/messages'), rpc('ping'), bearer(token), office)))
        .statusCode;
    const tokensOf = (who: TestIssuer, exp: number) =>
      Promise.all(
        Array.from({ length: limit + 1 }, (_, number) => who.sign({ sub: `u-${number}`, exp })),
      );
    const [ended, next] = [await tokensOf(issuer, NOON - 60), await tokensOf(issuer, NOON + 60)];
    expect(new Set(await inOrder(ended, 5, show))).toEqual(new Set([401]));
    expect(new Set(await inOrder(next, 5, show))).toEqual(new Set([200]));

    await using stranger = await anIssuer();
    const forged = await tokensOf(stranger, NOON - 60);
    const statuses = await inOrder(forged, 1, show);
    expect(statuses).toEqual([...Array(limit).fill(401), 429]);
  });

  test('is accepted with a new key of the issuer', async () => {
    await using other = await anIssuer();
    const slug = await trusting({ jwtIssuer: other.config });
    const before = await other.sign();
    expect(await outcome(before, slug)).toEqual([200, undefined]);
    await other.rotate();

    expect(await outcome(await other.sign(), slug)).toEqual([200, undefined]);
    expect((await outcome(before, slug))[0]).toBe(401);
  });

  test('with an unknown key id does not cause repeated fetches of the keys', async () => {
    await using other = await anIssuer();
    const slug = await trusting({ jwtIssuer: other.config });
    for (let times = 0; times < 20; times++) {
      const token = await other.sign({}, { kid: `made-up-${times}` });
      expect((await outcome(token, slug))[0]).toBe(401);
    }

    expect(other.asked()).toBe(2);
  });

  test('is answered with 503 while the issuer is down', async () => {
    await using other = await anIssuer();
    other.fail();
    const slug = await trusting({ jwtIssuer: other.config });
    const { statusCode, headers, body } = await say(await other.sign(), rpc('ping'), slug);

    expect([statusCode, headers['retry-after']]).toEqual([503, '10']);
    expect(body).not.toContain('issuer');
    expect(router.lines.at(-1)).toMatchObject({ outcome: 'fault', neighbour: 'web' });
  });

  test('does not make the service fetch keys from a private address', async () => {
    const jwksUri = 'https://169.254.169.254/latest/meta-data';
    const slug = await trusting({ jwtIssuer: { ...issuer.config, jwksUri } });

    expect((await say(await issuer.sign(), rpc('ping'), slug)).statusCode).toBe(503);
    expect(router.lines.at(-1)?.['fault']).toContain('blocked_address');
  });
});
