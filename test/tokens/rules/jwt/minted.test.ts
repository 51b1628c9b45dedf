import { describe, expect, test } from '@jest/globals';
import type { Jwt } from '../../../../layers/tokens/rules/jwt.ts';
import { mintedClaims, readMinted } from '../../../../layers/tokens/rules/own-jwts.ts';

/** 2026-11-20T12:00:00Z */
const NOON = 1_795_176_000;
const DAY = 86_400;
const ISSUER = 'https://mcp.example.com/v1/mcp-oauth-server';
const BASE = 'https://mcp.example.com/v1/mcp-router/pets';
const NAMES = [BASE, `${BASE}/`, `${BASE}/messages`];

const CLAIMS = mintedClaims({
  issuer: ISSUER,
  subject: 'owner-1',
  audience: `${BASE}/messages`,
  jti: 'jti-1',
  scopes: ['mcp.tools.read'],
  issuedAt: NOON,
  expiresAt: NOON + 3600,
});

const aToken = (claims: Readonly<Record<string, unknown>> = {}, over: Partial<Jwt> = {}): Jwt => ({
  algorithm: 'ES256',
  type: 'at+jwt',
  keyId: 'k',
  claims: { ...CLAIMS, ...claims },
  ...over,
});
const read = (token: Jwt, now = NOON, maxSeconds = DAY) =>
  readMinted(token, { issuer: ISSUER, audiences: NAMES, now, maxSeconds });

describe('an access token minted for a deployment', () => {
  test('has the claims that RFC 9068 requires', () => {
    expect(CLAIMS).toEqual({
      iss: ISSUER,
      sub: 'owner-1',
      aud: `${BASE}/messages`,
      client_id: 'mcp-management',
      jti: 'jti-1',
      scope: 'mcp.tools.read',
      iat: NOON,
      exp: NOON + 3600,
    });
  });

  test('yields its id, its subject and its scopes', () => {
    expect(read(aToken())).toEqual({
      jti: 'jti-1',
      subject: 'owner-1',
      isExpired: false,
      scopes: ['mcp.tools.read'],
    });
  });

  test.each([...NAMES, [NAMES[0]], ['elsewhere', NAMES[2]]])(
    'may name its deployment as the audience %j',
    (aud) => {
      expect(read(aToken({ aud }))).toMatchObject({ jti: 'jti-1' });
    },
  );

  test.each([
    ['both scopes', 'mcp.tools.execute mcp.tools.read', ['mcp.tools.read', 'mcp.tools.execute']],
    ['one scope beside an unknown one', 'openid mcp.tools.execute', ['mcp.tools.execute']],
    ['no scope of this service', 'openid', []],
  ])('grants the scopes it names: %s', (_, scope, scopes) => {
    expect(read(aToken({ scope })).scopes).toEqual(scopes);
  });

  test('is valid up to the last second before it expires', () => {
    expect(read(aToken(), NOON + 3599)).toHaveProperty('isExpired', false);
    expect(read(aToken(), NOON + 3600)).toHaveProperty('isExpired', true);
  });

  test('is refused if it lives longer than a day', () => {
    expect(() => read(aToken({ exp: NOON + DAY }))).not.toThrow();
    expect(() => read(aToken({ exp: NOON + DAY + 1 }))).toThrow('token lives too long');
    expect(() => read(aToken(), NOON, 3600)).not.toThrow();
    expect(() => read(aToken(), NOON, 3599)).toThrow('token lives too long');
    expect(() => read(aToken({ exp: Infinity, iat: Infinity }))).toThrow('token lives too long');
  });

  test('is refused before the second in its nbf claim', () => {
    expect(() => read(aToken({ nbf: NOON }))).not.toThrow();
    expect(() => read(aToken({ nbf: NOON + 1 }))).toThrow('token not valid yet');
  });

  test.each([
    ['the type of sessions', 'session+jwt'],
    ['the generic type', 'JWT'],
    ['its own type in another case', 'AT+JWT'],
    ['no type', undefined],
  ])('is refused with %s', (_, type) => {
    expect(() => read(aToken({}, { type }))).toThrow('not of the type of minted tokens');
  });

  test.each(['none', 'HS256', 'ES384', 'RS256'])('cannot be signed with %s', (algorithm) => {
    expect(() => read(aToken({}, { algorithm }))).toThrow('algorithm not allowed');
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }, 'unknown issuer'],
    ['no issuer', { iss: undefined }, 'unknown issuer'],
    ['a list of issuers', { iss: [ISSUER] }, 'unknown issuer'],
    ['another deployment', { aud: `${BASE}x` }, 'token for another audience'],
    ['another endpoint', { aud: `${BASE}/tool` }, 'token for another audience'],
    ['the management API', { aud: 'https://mcp.example.com/v1/mcp-management' }, 'audience'],
    ['no audience', { aud: undefined }, 'token for another audience'],
    ['an empty list of audiences', { aud: [] }, 'token for another audience'],
    ['a list in a list', { aud: [[BASE]] }, 'token for another audience'],
    ['no subject', { sub: undefined }, 'no usable sub'],
    ['no expiry', { exp: undefined }, 'no usable exp'],
    ['an expiry in words', { exp: '9999999999' }, 'no usable exp'],
    ['no issuing time', { iat: undefined }, 'no usable iat'],
    ['a nbf claim that is not a number', { nbf: 'now' }, 'no usable nbf'],
    ['no jti', { jti: undefined }, 'no usable jti'],
    ['an empty jti', { jti: '' }, 'no usable jti'],
    ['a jti that is not a string', { jti: 1 }, 'no usable jti'],
    ['no scope', { scope: undefined }, 'no usable scope'],
    ['a list of scopes', { scope: ['mcp.tools.read'] }, 'no usable scope'],
  ])('is refused with %s', (_, claims, why) => {
    expect(() => read(aToken(claims))).toThrow(why);
  });
});
