import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../lambdas/router/server.ts';
import { kmsClient } from '../../../layers/core/adapters/kms/client.ts';
import { kmsSigningKeys } from '../../../layers/core/adapters/kms/signing-keys.ts';
import type { Deployment } from '../../../layers/core/domain/deployment.ts';
import { NOON } from '../../adapters/dynamodb/fixtures.ts';
import { connectionOf } from '../../support/aws.ts';
import { anIssuer, type TestIssuer } from '../../support/jwt-issuer.ts';
import { BASE_URL, startRouter, type TestRouter } from '../../support/router.ts';
import { at, post, rpc } from '../../support/router-events.ts';
import { aMintedToken, bearer, type TestMinting } from '../../support/router-tokens.ts';

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

describe('D14 a token that the service minted', () => {
  const minted = async (minting?: TestMinting) => (await aMintedToken(router, pets, minting)).text;

  test('opens its deployment', async () => {
    const call = rpc('tools/call', { name: 'getPet', arguments: { id: 7 } });
    const { statusCode, body } = await say(await minted(), call);

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
  });

  test.each([BASE, `${BASE}/`, `${BASE}/messages`, [BASE, 'other']])(
    'D12 may be for %j',
    async (aud) => {
      expect(await outcome(await minted({ claims: { aud } }))).toEqual([200, undefined]);
    },
  );

  test('is good in its last second, and not in the next', async () => {
    const token = await minted();
    router.clock.time = NOON + 3599;
    expect(await outcome(token)).toEqual([200, undefined]);
    router.clock.time = NOON + 3600;
    expect(await outcome(token)).toEqual([401, 'token expired']);
  });

  test('is refused from the request on that follows its revocation', async () => {
    const { text, jti } = await aMintedToken(router, pets);
    expect(await outcome(text)).toEqual([200, undefined]);
    await router.owner.mintedTokens.revoke(jti);

    expect(await outcome(text)).toEqual([401, 'token revoked']);
  });

  test.each([
    ['of a type that sessions have', { type: 'session+jwt' }, 'not of the type of minted tokens'],
    [
      'for another resource',
      { claims: { aud: `${BASE_URL}/mcp-router/cats` } },
      'token for another audience',
    ],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, 'unknown issuer'],
    [
      'that lives for longer than a day',
      { claims: { exp: NOON + 86_401 } },
      'token lives too long',
    ],
    ['without a jti', { claims: { jti: undefined } }, 'no usable jti'],
    ['that nobody knows', { claims: { jti: 'unheard-of' } }, 'unknown token'],
    [
      'for a deployment that had the slug before',
      { deploymentId: 'dep-former' },
      'token for another deployment',
    ],
  ])('is refused %s', async (_, minting, why) => {
    expect(await outcome(await minted(minting))).toEqual([401, why]);
  });

  test('may live for a day', async () => {
    expect(await outcome(await minted({ claims: { exp: NOON + 86_400 } }))).toEqual([
      200,
      undefined,
    ]);
  });

  test('is refused when one letter of it was changed', async () => {
    const [header, claims, signature = ''] = (await minted()).split('.');
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;

    expect(await outcome([header, claims, changed].join('.'))).toEqual([
      401,
      'signature not accepted: ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ]);
  });

  test('that was forged costs no read', async () => {
    const [header, claims] = (await minted()).split('.');
    await say(await minted());
    router.store.aws.calls.reset();
    await say(`${header}.${claims}.c2lnbmF0dXJl`);

    expect(router.store.aws.calls.count({ caller: 'router' })).toBe(0);
  });

  test('is refused in mode oauth', async () => {
    const login = await router.publish('login', { authMethod: 'oauth' });
    const { text } = await aMintedToken(router, login);

    expect(await outcome(text, 'login')).toEqual([401, 'not an access token']);
  });

  test('is not checked, nor are keys loaded, in mode none', async () => {
    const open = await router.publish('open', { authMethod: 'none' });
    const { text } = await aMintedToken(router, open, { claims: { exp: 1 } });

    expect(await outcome(text, 'open')).toEqual([200, undefined]);
  });

  test('cannot be checked while the store of its record is down', async () => {
    const token = await minted();
    await say(token);
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'GetItem' } });
    const { statusCode, headers } = await say(token);

    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  });

  test('cannot be checked while the key that signed it cannot be had', async () => {
    const access = connectionOf(router.store.aws, 'router');
    const signingKeys = kmsSigningKeys(kmsClient(access), 'alias/none');
    const send = server({ ...router.ports, signingKeys });
    const event = post(at('pets', '/messages'), rpc('ping'), bearer(await minted()));

    expect((await send(event)).statusCode).toBe(503);
    expect(router.lines.at(-1)).toMatchObject({ outcome: 'fault', neighbour: 'kms' });
  });

  test('never reaches the target', async () => {
    const call = rpc('tools/call', { name: 'getPet', arguments: { id: 1 } });
    const { body } = await say(await minted(), call);

    expect(body).toContain('/echo/pets/1');
    expect(body).not.toContain('eyJ');
    expect(body.toLowerCase()).not.toContain('authorization');
  });

  test('never gets into the log, good or bad', async () => {
    const before = router.lines.length;
    const token = await minted();
    await say(token);
    await say(`${token}x`);
    await say(await minted({ claims: { aud: 'CANARY', scope: 'CANARY' } }));

    expect(JSON.stringify(router.lines.slice(before))).not.toMatch(/eyJ|CANARY/);
  });
});

describe('D3 the challenge of a jwt deployment', () => {
  test('does not lead to a login', async () => {
    const { headers, body } = await say('a.b.c');

    expect(headers['www-authenticate']).toBe(
      'Bearer realm="mcp", error="invalid_token", scope="mcp.tools.read mcp.tools.execute"',
    );
    expect(JSON.parse(body)).not.toHaveProperty('resource_metadata');
  });
});

describe('D14, D40 a token of the issuer that the owner trusts', () => {
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

  test('is good for a minute after its end, and no longer', async () => {
    const slug = await trusting();
    const token = await issuer.sign({ exp: NOON });
    router.clock.time = NOON + 59;
    expect(await outcome(token, slug)).toEqual([200, undefined]);
    router.clock.time = NOON + 60;
    expect(await outcome(token, slug)).toEqual([401, 'token expired']);
  });

  test.each([
    ['without an end', { exp: undefined }, {}, 'no usable exp'],
    ['without a subject', { sub: undefined }, {}, 'no usable sub'],
    ['for another audience', { aud: 'api://cats' }, {}, 'token for another audience'],
    ['of another issuer', { iss: 'https://evil.example/' }, {}, 'unknown issuer'],
    ['before its time', { nbf: NOON + 61 }, {}, 'token not valid yet'],
    ['of a type that sessions have', {}, { typ: 'session+jwt' }, 'not of a type of access tokens'],
    [
      'that is said to be signed with a key that there is not',
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

  test('is refused if its algorithm is not on the list', async () => {
    const jwtIssuer = { ...issuer.config, algorithms: ['ES256' as const] };

    expect(await outcome(await issuer.sign(), await trusting({ jwtIssuer }))).toEqual([
      401,
      'algorithm not allowed',
    ]);
  });

  test('is refused where nobody trusts its issuer', async () => {
    expect(await outcome(await issuer.sign())).toEqual([401, 'unknown issuer']);
  });

  test('cannot speak in the name of the service, whatever an owner has written down', async () => {
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

  test('stands beside those that the service mints', async () => {
    const slug = await trusting();
    const deployment = (await router.owner.deploymentEditor.read(slug))!;

    expect(await outcome((await aMintedToken(router, deployment)).text, slug)).toEqual([
      200,
      undefined,
    ]);
    expect(await outcome(await issuer.sign(), slug)).toEqual([200, undefined]);
  });

  test('is asked of no access policy: who vouches is the owner’s choice', async () => {
    const slug = await trusting({ access: { mode: 'owner' } });

    expect(await outcome(await issuer.sign({ sub: 'anybody' }), slug)).toEqual([200, undefined]);
  });

  test('is good with a new key of the issuer', async () => {
    await using other = await anIssuer();
    const slug = await trusting({ jwtIssuer: other.config });
    const before = await other.sign();
    expect(await outcome(before, slug)).toEqual([200, undefined]);
    await other.rotate();

    expect(await outcome(await other.sign(), slug)).toEqual([200, undefined]);
    expect((await outcome(before, slug))[0]).toBe(401);
  });

  test('does not make the service ask for keys again and again', async () => {
    await using other = await anIssuer();
    const slug = await trusting({ jwtIssuer: other.config });
    for (let times = 0; times < 20; times++) {
      const token = await other.sign({}, { kid: `made-up-${times}` });
      expect((await outcome(token, slug))[0]).toBe(401);
    }

    expect(other.asked()).toBe(2);
  });

  test('is not told apart from others while the issuer is down: 503', async () => {
    await using other = await anIssuer();
    other.fail();
    const slug = await trusting({ jwtIssuer: other.config });
    const { statusCode, headers, body } = await say(await other.sign(), rpc('ping'), slug);

    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
    expect(body).not.toContain('issuer');
    expect(router.lines.at(-1)).toMatchObject({ outcome: 'fault', neighbour: 'web' });
  });

  test('makes the service go nowhere that it may not go', async () => {
    const jwksUri = 'https://169.254.169.254/latest/meta-data';
    const slug = await trusting({ jwtIssuer: { ...issuer.config, jwksUri } });

    expect((await say(await issuer.sign(), rpc('ping'), slug)).statusCode).toBe(503);
    expect(router.lines.at(-1)?.['fault']).toContain('blocked_address');
  });
});
