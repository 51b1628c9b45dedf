import { describe, expect, test } from '@jest/globals';
import { type Jwt, readExternal } from '../../../layers/core/domain/jwt/index.ts';
import type { JwtIssuer } from '../../../layers/core/domain/jwt-issuer.ts';

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

describe('D14 a token of an external issuer', () => {
  test('needs no more than issuer, audience, subject and end', () => {
    expect(read(aToken())).toEqual({
      id: expect.stringMatching(/^jwt_[0-9a-f]{64}$/),
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
    'may not be of type %p',
    (type) => {
      expect(() => read(aToken({}, { type }))).toThrow('not of a type of access tokens');
    },
  );

  test.each(['RS256', 'ES256'])('may be signed as its owner allows: %s', (algorithm) => {
    expect(() => read(aToken({}, { algorithm }))).not.toThrow();
  });

  test.each(['none', 'None', 'HS256', 'RS512', 'rs256', 'PS256'])(
    'may not be signed with %s',
    (algorithm) => {
      expect(() => read(aToken({}, { algorithm }))).toThrow('algorithm not allowed');
    },
  );

  test('has a minute of leeway at its end', () => {
    expect(() => read(aToken({ exp: NOON }), NOON + 59)).not.toThrow();
    expect(() => read(aToken({ exp: NOON }), NOON + 60)).toThrow('token expired');
  });

  test('has a minute of leeway at its beginning', () => {
    expect(() => read(aToken({ nbf: NOON + 60 }))).not.toThrow();
    expect(() => read(aToken({ nbf: NOON + 61 }))).toThrow('token not valid yet');
  });

  test('may be for several audiences', () => {
    expect(() => read(aToken({ aud: ['other', ISSUER.audience] }))).not.toThrow();
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }, 'unknown issuer'],
    ['the issuer without its slash', { iss: 'https://issuer.example.com' }, 'unknown issuer'],
    ['the issuer in other letters', { iss: 'https://ISSUER.example.com/' }, 'unknown issuer'],
    ['no issuer', { iss: undefined }, 'unknown issuer'],
    ['another audience', { aud: 'api://cats' }, 'token for another audience'],
    ['a longer audience', { aud: 'api://pets/' }, 'token for another audience'],
    ['no audience', { aud: undefined }, 'token for another audience'],
    ['D40 no end', { exp: undefined }, 'no usable exp'],
    ['D40 an end in words', { exp: 'never' }, 'no usable exp'],
    ['D40 no subject', { sub: undefined }, 'no usable sub'],
    ['D40 an empty subject', { sub: '' }, 'no usable sub'],
    ['D40 a subject that is no text', { sub: 7 }, 'no usable sub'],
    ['a scope that is no text', { scope: 7 }, 'no usable scope'],
    ['a scope that is null', { scope: null }, 'no usable scope'],
    ['a scope that is an object', { scp: {} }, 'no usable scope'],
    ['a list of scopes that are no texts', { scp: ['mcp.tools.read', 7] }, 'no usable scope'],
  ])('is refused with %s', (_, claims, why) => {
    expect(() => read(aToken(claims))).toThrow(why);
  });
});

describe('D11 what a token of an external issuer grants', () => {
  test.each([
    ['both where it speaks of no scope', {}, BOTH],
    ['both where it speaks of others', { scope: 'openid profile' }, BOTH],
    ['both where it speaks of none', { scope: '', scp: [] }, BOTH],
    ['what it names', { scope: 'openid mcp.tools.read' }, ['mcp.tools.read']],
    ['what it names in scp', { scp: 'mcp.tools.execute' }, ['mcp.tools.execute']],
    ['what it names in a list', { scp: ['mcp.tools.read', 'a'] }, ['mcp.tools.read']],
    ['what it names in both', { scope: 'mcp.tools.read', scp: ['mcp.tools.execute'] }, BOTH],
    ['what it names twice', { scope: 'mcp.tools.read mcp.tools.read' }, ['mcp.tools.read']],
    ['nothing where it names one that there is not', { scope: 'mcp.tools.admin' }, []],
  ])('%s', (_, claims, scopes) => {
    expect(read(aToken(claims)).scopes).toEqual(scopes);
  });
});

describe('D39 the user of an external issuer', () => {
  const id = (issuer: string, sub: string) =>
    read(aToken({ iss: issuer, sub }), NOON, { ...ISSUER, issuer }).id;

  test('is the same at every request', () => {
    expect(id('https://a.example', 'ann')).toBe(id('https://a.example', 'ann'));
  });

  test.each([
    ['another subject', id('https://a.example', 'bob')],
    ['the same subject elsewhere', id('https://b.example', 'ann')],
    ['what reads alike when joined', id('https://a.examplea', 'nn')],
  ])('is not %s', (_, other) => {
    expect(id('https://a.example', 'ann')).not.toBe(other);
  });

  test('is not known by name', () => {
    expect(id('https://a.example', 'ann')).not.toContain('ann');
  });
});
