import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/oauth/routes/server.ts';
import type { OAuthClient } from '../../../layers/tokens/rules/oauth-records.ts';
import { aSigner, ASSERTION_TYPE, type Signer } from '../../support/oauth/client-assertions.ts';
import {
  aClient,
  anOAuthService,
  ISSUER,
  NOON,
  type TestCode,
  type TestOAuth,
} from '../../support/oauth/oauth.ts';
import {
  answered,
  basic,
  bodyOf,
  exchangeOf,
  form,
  opens,
  refreshOf,
  sentFrom,
  type Tokens,
} from '../../support/oauth/oauth-requests.ts';
import { anAddress } from '../../support/mcp/router-events.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

let service: TestOAuth;
let signer: Signer;

beforeAll(async () => {
  service = await anOAuthService();
  signer = await aSigner();
});
afterAll(() => service.stop());

let documents = 0;

/** A client with a metadata document that is remembered, and a code for it. */
const aCodeOf = async (over: Partial<OAuthClient>): Promise<TestCode> => {
  documents += 1;
  const clientId = `https://app.example.com/${documents}.json`;
  const keys = { list: [signer.jwk] };
  const document = { id: clientId, source: 'metadata_document', keys, ...over } as const;
  await service.ports.clients.put(aClient(document));
  const { authMethod = 'none' } = over;
  const signs = authMethod === 'private_key_jwt' && { clientAuthMethod: authMethod };
  return service.code({}, { clientId, ...signs });
};
const mustSign = () => aCodeOf({ authMethod: 'private_key_jwt' });
const maySign = () => aCodeOf({ authMethod: 'none' });

const exchange = (code: TestCode, over: Record<string, string | undefined>, headers = {}) =>
  service.send(form('/token', exchangeOf(code, over), headers));

const REFUSED = { status: 401, error: 'invalid_client' };
/** As the line of the latest request has it. */
const lastReason = () => service.lines.at(-1)?.['why'];
/** As its client's security events have it. */
const lastFailure = () =>
  service.lines.findLast(({ event }) => event === 'client_authentication_failed')?.['why'];

describe('a client that must sign', () => {
  test('gets its tokens with an assertion, with and without a client_id beside it', async () => {
    for (const over of [{}, { client_id: undefined }]) {
      const code = await mustSign();
      const signed = await signer.sign(code.grant.clientId);

      const reply = await exchange(code, { ...signed, ...over });

      expect(reply.statusCode).toBe(200);
      expect(await opens(service, bodyOf(reply)['access_token'])).toBe(true);
    }
  });

  test('gets nothing without one and keeps its code', async () => {
    const code = await mustSign();

    expect(answered(await exchange(code, {}))).toEqual(REFUSED);
    const signed = await signer.sign(code.grant.clientId);
    expect((await exchange(code, signed)).statusCode).toBe(200);
  });

  test('signs refreshes too and keeps its refresh token', async () => {
    const code = await mustSign();
    const { clientId } = code.grant;
    const tokens = bodyOf(await exchange(code, await signer.sign(clientId))) as unknown as Tokens;
    const refresh = async (over: object) =>
      service.send(form('/token', refreshOf(code, tokens, { ...over })));

    expect(answered(await refresh({}))).toEqual(REFUSED);
    const refreshed = await refresh(await signer.sign(clientId));
    expect(refreshed.statusCode).toBe(200);
    expect(bodyOf(refreshed)).toMatchObject({ refresh_token: tokens.refresh_token });
  });
});

describe('a public client that has keys', () => {
  test('may sign and need not, and its refresh tokens change either way', async () => {
    for (const sign of [true, false]) {
      const code = await maySign();
      const proof = async () => (sign ? signer.sign(code.grant.clientId) : {});
      const tokens = bodyOf(await exchange(code, await proof())) as unknown as Tokens;

      const refreshed = await service.send(form('/token', refreshOf(code, tokens, await proof())));

      expect(bodyOf(refreshed)['refresh_token']).toMatch(/^mcp_refresh_/);
    }
  });

  test('is refused with an assertion that is wrong', async () => {
    const code = await maySign();
    const signed = await signer.sign(code.grant.clientId, { aud: 'https://elsewhere.example' });

    expect(answered(await exchange(code, signed))).toEqual(REFUSED);
  });
});

describe('a client whose host the operator takes no documents of', () => {
  test('gets no tokens for its code and no new ones for a refresh token, signed or not', async () => {
    const settings = {
      ...service.ports.settings,
      clientDocumentHosts: { deny: ['*.example.com'] },
    };
    const send = server({ ...service.ports, settings });
    for (const code of [await mustSign(), await maySign()]) {
      const { clientId } = code.grant;
      const proof = () => signer.sign(clientId);

      expect(answered(await send(form('/token', exchangeOf(code, await proof()))))).toEqual(
        REFUSED,
      );
      const tokens = bodyOf(await exchange(code, await proof())) as unknown as Tokens;
      const again = refreshOf(code, tokens, await proof());
      expect(answered(await send(form('/token', again)))).toEqual(REFUSED);
    }
  });
});

describe('an assertion', () => {
  test.each<[string, string, object, object]>([
    ['for another audience', 'token for another audience', { aud: 'https://mcp.example.com' }, {}],
    [
      'for several audiences',
      'token for other audiences as well',
      { aud: [ISSUER, 'https://elsewhere.example/token'] },
      {},
    ],
    ['for nobody', 'token for another audience', { aud: [] }, {}],
    ['of another issuer', 'issuer is not the client', { iss: ISSUER }, {}],
    ['that has ended', 'token expired', { exp: NOON - 60 }, {}],
    ['that lives more than ten minutes', 'lives too long', { exp: NOON + 661 }, {}],
    ['without an end', 'no usable exp', { exp: undefined }, {}],
    ['of the future', 'token not valid yet', { nbf: NOON + 61 }, {}],
    ['without a jti', 'no usable jti', { jti: undefined }, {}],
    ['with an endless jti', 'no usable jti', { jti: 'x'.repeat(257) }, {}],
    ['with a key that the client has not', 'signature not accepted', {}, { kid: 'key-2' }],
  ])('%s is refused', async (_, why, claims, header) => {
    const code = await mustSign();
    const signed = await signer.sign(code.grant.clientId, claims, header);

    expect(answered(await exchange(code, signed))).toEqual(REFUSED);
    expect(lastReason()).toContain(`client assertion: ${why}`);
  });

  test.each<[string, object]>([
    ['a minute after its end by our clock', { exp: NOON - 59 }],
    ['ten minutes and a minute ahead', { exp: NOON + 660 }],
    ['for the token endpoint', { aud: `${ISSUER}/token` }],
    ['for our issuer in a list of one', { aud: [ISSUER] }],
  ])('is good %s', async (_, claims) => {
    const code = await mustSign();

    const reply = await exchange(code, await signer.sign(code.grant.clientId, claims));

    expect(reply.statusCode).toBe(200);
  });

  test('signed by another key is refused', async () => {
    const code = await mustSign();
    const signed = await (await aSigner()).sign(code.grant.clientId);

    expect(answered(await exchange(code, signed))).toEqual(REFUSED);
    expect(lastFailure()).toContain('signature not accepted');
  });

  test('is good once, however many show it at once', async () => {
    const code = await mustSign();
    const signed = await signer.sign(code.grant.clientId);
    const wrong = { ...signed, code: 'mcp_code_x' };

    const replies = await Promise.all(Array.from({ length: 8 }, () => exchange(code, wrong)));

    const errors = replies.map((reply) => answered(reply).error);
    expect(errors.filter((error) => error === 'invalid_grant')).toHaveLength(1);
    expect(errors.filter((error) => error === 'invalid_client')).toHaveLength(7);
    expect(lastFailure()).toBe(`${aClient().name}: client assertion: used before`);
  });

  test.each<[string, (signed: Record<string, string>) => Record<string, string>, object]>([
    ['and a secret at once', (signed) => ({ ...signed, client_secret: 'secret_1' }), {}],
    ['and HTTP Basic at once', (signed) => signed, basic('mcp_1', 'secret_1')],
    ['beside another client_id', (signed) => ({ ...signed, client_id: 'mcp_1' }), {}],
    ['of another type', (signed) => ({ ...signed, client_assertion_type: 'urn:x' }), {}],
    ['without its type', ({ client_assertion = '' }) => ({ client_assertion }), {}],
    ['that is missing', () => ({ client_assertion_type: ASSERTION_TYPE }), {}],
    ['of more than 16 KB', (signed) => ({ ...signed, client_assertion: 'e'.repeat(16_385) }), {}],
  ])('%s is refused', async (_, change, headers) => {
    const code = await mustSign();
    const signed = await signer.sign(code.grant.clientId);

    expect(answered(await exchange(code, change(signed), headers))).toEqual(REFUSED);
  });

  test.each(['none', 'HS256'])('with the algorithm %s is refused', async (alg) => {
    const code = await mustSign();
    const { client_assertion: good = '' } = await signer.sign(code.grant.clientId);
    const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
    const client_assertion = good.replace(/^[^.]+/, header);

    const sent = { client_assertion_type: ASSERTION_TYPE, client_assertion };

    expect(answered(await exchange(code, sent))).toEqual(REFUSED);
    expect(lastReason()).toBe('client assertion: algorithm not allowed');
  });

  test('of a registered client is refused', async () => {
    const code = await service.code();

    const reply = await exchange(code, await signer.sign(code.grant.clientId));

    expect(answered(reply)).toEqual(REFUSED);
    expect(lastReason()).toBe('client assertion of no metadata document');
  });

  test('of a client that nobody has seen is no event, whatever it says', async () => {
    const events = () => service.lines.filter(({ type }) => type === 'security').length;
    const code = await service.code();
    const before = events();

    for (const id of ['https://10.0.0.1/client.json', 'x'.repeat(5000), '\u0000']) {
      const signed = await signer.sign(id, { aud: 'https://elsewhere.example' });
      const reply = await exchange(code, { ...signed, client_id: undefined });
      expect(answered(reply)).toEqual(REFUSED);
    }
    expect(events()).toBe(before);
  });

  test('of a client without keys is refused', async () => {
    const { keys: _, ...without } = aClient({ authMethod: 'none' });
    const code = await aCodeOf(without);

    const reply = await exchange(code, await signer.sign(code.grant.clientId));

    expect(answered(reply)).toEqual(REFUSED);
  });
});

describe('metadata documents that nobody has requested yet', () => {
  test('are fetched ten times a minute for one address, whichever ids it makes up', async () => {
    let fetched = 0;
    await using site = await anHttpServer((_, response) => {
      fetched += 1;
      response.writeHead(404).end();
    });
    const limited = await anOAuthService({ limits: { token_per_minute_per_client: 10 } });
    const statuses: number[] = [];
    const from = anAddress();
    const code = await limited.code();
    for (let number = 0; number < 12; number += 1) {
      const signed = await signer.sign(`${site.url}/${number}.json`);
      const sent = exchangeOf(code, { ...signed, client_id: undefined });
      statuses.push((await limited.send(sentFrom(from, form('/token', sent)))).statusCode);
    }
    await limited.stop();

    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect(fetched).toBe(10);
  });
});

describe('assertions beyond a limit', () => {
  test.each(['/token', '/revoke'])(
    'of a client and an address are refused at %s before keys are fetched or anything is written, right or wrong',
    async (path) => {
      let fetched = 0;
      await using site = await anHttpServer((_, response) => {
        fetched += 1;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ keys: [signer.jwk] }));
      });
      const limited = await anOAuthService({
        limits: { client_assertions_per_minute_per_client: 2 },
      });
      const id = `${site.url}/client.json`;
      const keys = { uri: `${site.url}/keys` };
      await limited.ports.clients.put(
        aClient({ id, source: 'metadata_document', authMethod: 'none', keys }),
      );
      const from = anAddress();
      const send = async (claims: object = {}) => {
        const sent = { token: 'mcp_refresh_x', grant_type: 'refresh_token', refresh_token: 'x' };
        const signed = await signer.sign(id, claims);
        return limited.send(sentFrom(from, form(path, { ...sent, ...signed })));
      };
      const within = [(await send()).statusCode, (await send()).statusCode];
      fetched = 0;
      const right = await send();
      const again = await send({ jti: 'the same' });
      limited.clock.time = NOON + 60;
      const later = await send({ jti: 'the same', exp: NOON + 120 });
      await limited.stop();

      expect(within).not.toContain(429);
      expect([right.statusCode, right.headers?.['retry-after']]).toEqual([429, '60']);
      expect([again.statusCode, fetched]).toEqual([429, 0]);
      // Refused, it was not used up.
      expect(later.statusCode).toBe(within[0]);
    },
  );

  test('of an address are refused whichever clients they name, before any is looked up', async () => {
    const limited = await anOAuthService({ limits: { client_assertions_per_minute_per_ip: 2 } });
    const from = anAddress();
    const statuses: number[] = [];
    for (let number = 0; number < 4; number += 1) {
      const signed = await signer.sign(`https://app.example.com/made-up/${number}.json`);
      const sent = form('/revoke', { token: 'mcp_refresh_x', ...signed });
      statuses.push((await limited.send(sentFrom(from, sent))).statusCode);
    }
    await limited.stop();

    expect(statuses).toEqual([401, 401, 429, 429]);
  });
});

describe('keys at an address', () => {
  test('are fetched, and a client whose keys cannot be had is refused', async () => {
    let status = 200;
    await using site = await anHttpServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ keys: [signer.jwk] }));
    });
    const at = (path: string) => aCodeOf({ authMethod: 'private_key_jwt', keys: { uri: path } });

    const code = await at(`${site.url}/good`);
    const good = await exchange(code, await signer.sign(code.grant.clientId));
    status = 500;
    const other = await at(`${site.url}/bad`);
    const bad = await exchange(other, await signer.sign(other.grant.clientId));

    expect(good.statusCode).toBe(200);
    expect(answered(bad)).toEqual(REFUSED);
    expect(lastFailure()).toContain('the keys of an issuer cannot be had');
  });
});

describe('POST /revoke with an assertion', () => {
  const begun = async () => {
    const code = await mustSign();
    const signed = await signer.sign(code.grant.clientId);
    return { code, tokens: bodyOf(await exchange(code, signed)) as unknown as Tokens };
  };

  test('revokes the token of the client that signed', async () => {
    const { code, tokens } = await begun();
    const signed = await signer.sign(code.grant.clientId);

    const reply = await service.send(form('/revoke', { token: tokens.access_token, ...signed }));

    expect(reply.statusCode).toBe(200);
    expect(await opens(service, tokens.access_token)).toBe(false);
  });

  test('revokes nothing if it is wrong, or of another client', async () => {
    const { code, tokens } = await begun();
    const other = await mustSign();
    const wrong = await signer.sign(code.grant.clientId, { aud: 'https://elsewhere.example' });
    const theirs = await signer.sign(other.grant.clientId);
    const send = (proof: object) =>
      service.send(form('/revoke', { token: tokens.access_token, ...proof }));

    expect(answered(await send(wrong))).toEqual(REFUSED);
    expect((await send(theirs)).statusCode).toBe(200);
    expect(await opens(service, tokens.access_token)).toBe(true);
  });
});
