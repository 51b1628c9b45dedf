import { describe, expect, test } from '@jest/globals';
import { type Jwt, type JwtIssuer, readExternal } from '../../../../layers/tokens/rules/jwt.ts';

/** 2026-11-20T12:00:00Z */
const NOON = 1_795_176_000;

const ISSUER: JwtIssuer = {
  issuer: 'https://issuer.example.com/',
  jwksUri: 'https://issuer.example.com/keys',
  audience: 'api://pets',
  algorithms: ['RS256', 'ES256'],
};

const aToken = (claims: Readonly<Record<string, unknown>> = {}, over: Partial<Jwt> = {}): Jwt => ({
  algorithm: 'RS256',
  type: 'JWT',
  keyId: 'k',
  claims: {
    iss: ISSUER.issuer,
    aud: ISSUER.audience,
    sub: 'ann',
    exp: NOON + 3600,
    ...claims,
  },
  ...over,
});
const read = (token: Jwt, now = NOON, issuer = ISSUER) => readExternal(token, issuer, now);
const BOTH = ['mcp.tools.read', 'mcp.tools.execute'];

describe('an access token of an external issuer', () => {
  test('needs only an issuer, an audience, a subject and an expiry', () => {
    expect(read(aToken())).toEqual({
      id: expect.stringMatching(/^jwt_[0-9a-f]{64}$/),
      isExpired: false,
      scopes: BOTH,
    });
  });

  test.each([undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt'])(
    'may be of type %p',
    (type) => {
      expect(() => read(aToken({}, { type }))).not.toThrow();
    },
  );

  test.each(['session+jwt', 'logout+jwt', 'dpop+jwt', 'secevent+jwt', 'JOSE', ''])(
    'cannot be of type %p',
    (type) => {
      expect(() => read(aToken({}, { type }))).toThrow('not of a type of access tokens');
    },
  );

  test.each(['RS256', 'ES256'])('may be signed with the allowed algorithm %s', (algorithm) => {
    expect(() => read(aToken({}, { algorithm }))).not.toThrow();
  });

  test.each(['none', 'None', 'HS256', 'RS512', 'rs256', 'PS256'])(
    'cannot be signed with the algorithm %s',
    (algorithm) => {
      expect(() => read(aToken({}, { algorithm }))).toThrow('algorithm not allowed');
    },
  );

  test('is accepted for one minute after it expires', () => {
    expect(read(aToken({ exp: NOON }), NOON + 59)).toHaveProperty('isExpired', false);
    expect(read(aToken({ exp: NOON }), NOON + 60)).toHaveProperty('isExpired', true);
  });

  test('is accepted from one minute before its nbf claim', () => {
    expect(() => read(aToken({ nbf: NOON + 60 }))).not.toThrow();
    expect(() => read(aToken({ nbf: NOON + 61 }))).toThrow('token not valid yet');
  });

  test('may be for several audiences', () => {
    expect(() => read(aToken({ aud: ['other', ISSUER.audience] }))).not.toThrow();
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }, 'unknown issuer'],
    ['the issuer without its slash', { iss: 'https://issuer.example.com' }, 'unknown issuer'],
    ['the issuer in another case', { iss: 'https://ISSUER.example.com/' }, 'unknown issuer'],
    ['no issuer', { iss: undefined }, 'unknown issuer'],
    ['another audience', { aud: 'api://cats' }, 'token for another audience'],
    ['a longer audience', { aud: 'api://pets/' }, 'token for another audience'],
    ['no audience', { aud: undefined }, 'token for another audience'],
    ['no expiry', { exp: undefined }, 'no usable exp'],
    ['an expiry in words', { exp: 'never' }, 'no usable exp'],
    ['no subject', { sub: undefined }, 'no usable sub'],
    ['an empty subject', { sub: '' }, 'no usable sub'],
    ['a subject with half a character', { sub: 'x\ud800' }, 'no usable sub'],
    ['a subject that is not a string', { sub: 7 }, 'no usable sub'],
    ['a scope that is not a string', { scope: 7 }, 'no usable scope'],
    ['a scope that is null', { scope: null }, 'no usable scope'],
    ['a scope that is an object', { scp: {} }, 'no usable scope'],
    ['a list of scopes with a number', { scp: ['mcp.tools.read', 7] }, 'no usable scope'],
  ])('is refused with %s', (_, claims, why) => {
    expect(() => read(aToken(claims))).toThrow(why);
  });
});

describe('the scopes that a token of an external issuer grants', () => {
  test.each([
    ['both if it has no scope claim', {}, BOTH],
    ['both if it names only scopes of other services', { scope: 'openid profile' }, BOTH],
    ['both if its scope claims are empty', { scope: '', scp: [] }, BOTH],
    ['those that scope names', { scope: 'openid mcp.tools.read' }, ['mcp.tools.read']],
    ['those that scp names', { scp: 'mcp.tools.execute' }, ['mcp.tools.execute']],
    ['those that a list in scp names', { scp: ['mcp.tools.read', 'a'] }, ['mcp.tools.read']],
    ['those that both claims name', { scope: 'mcp.tools.read', scp: ['mcp.tools.execute'] }, BOTH],
    ['a name sent twice only once', { scope: 'mcp.tools.read mcp.tools.read' }, ['mcp.tools.read']],
    ['none if it names only an unknown scope of ours', { scope: 'mcp.tools.admin' }, []],
  ])('are %s', (_, claims, scopes) => {
    expect(read(aToken(claims)).scopes).toEqual(scopes);
  });
});

describe('the user id derived from a token of an external issuer', () => {
  const id = (issuer: string, sub: string) =>
    read(aToken({ iss: issuer, sub }), NOON, { ...ISSUER, issuer }).id;

  test('is the same at every request', () => {
    expect(id('https://a.example', 'ann')).toBe(id('https://a.example', 'ann'));
  });

  test.each([
    ['another subject', id('https://a.example', 'bob')],
    ['the same subject at another issuer', id('https://b.example', 'ann')],
    ['an issuer and a subject that read alike when joined', id('https://a.examplea', 'nn')],
  ])('is not that of %s', (_, other) => {
    expect(id('https://a.example', 'ann')).not.toBe(other);
  });

  test('does not contain the subject', () => {
    expect(id('https://a.example', 'ann')).not.toContain('ann');
  });
});
