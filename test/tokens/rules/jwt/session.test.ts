import { describe, expect, test } from '@jest/globals';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { consoleClaims, readSession } from '../../../../layers/tokens/rules/own-jwts.ts';
import type { Jwt } from '../../../../layers/tokens/rules/jwt.ts';

const NOON = 1_795_176_000;
const TERMS = {
  issuer: 'https://mcp.example.com/v1/mcp-oauth-server',
  audience: 'management',
  now: NOON,
};

const aToken = (claims: Readonly<Record<string, unknown>> = {}, over: Partial<Jwt> = {}): Jwt => ({
  algorithm: 'ES256',
  type: 'session+jwt',
  keyId: 'k',
  claims: {
    iss: TERMS.issuer,
    aud: 'management',
    sub: 'ada',
    sid: 'secret',
    exp: NOON + 1,
    ...claims,
  },
  ...over,
});

describe('a session token of the management API', () => {
  test('names its user and its session until it expires', () => {
    expect(readSession(aToken(), TERMS)).toEqual({
      sub: 'ada',
      sid: 'secret',
      session: fingerprint('secret'),
    });
  });

  test('that a browser session lent names that session by its fingerprint alone', () => {
    const id = fingerprint('secret');
    const session = { userId: 'ada', createdAt: NOON, expiresAt: NOON + 600 };
    const claims = consoleClaims('https://mcp.example.com/v1', id, session);
    const audience = 'https://mcp.example.com/v1/mcp-management';

    expect(JSON.stringify(claims)).not.toContain('secret');
    expect(readSession(aToken({ ...claims, sid: undefined }), { ...TERMS, audience })).toEqual({
      sub: 'ada',
      session: id,
    });
  });

  test.each([
    ['has expired', aToken({ exp: NOON }), 'token expired'],
    ['never expires', aToken({ exp: undefined }), 'no usable exp'],
    ['is an access token', aToken({}, { type: 'at+jwt' }), 'not of the type of sessions'],
    ['has no type', aToken({}, { type: undefined }), 'not of the type of sessions'],
    ['has another algorithm', aToken({}, { algorithm: 'HS256' }), 'algorithm not allowed'],
    ['has another issuer', aToken({ iss: 'https://evil.example' }), 'unknown issuer'],
    [
      'is for a deployment',
      aToken({ aud: 'https://mcp.example.com/x' }),
      'token for another audience',
    ],
    ['names no user', aToken({ sub: undefined }), 'no usable sub'],
    ['names no session', aToken({ sid: 7 }), 'no usable sid'],
    ['was lent by no session', aToken({ sid_hash: '' }), 'no usable sid_hash'],
  ])('is refused if it %s', (_, token, why) => {
    expect(() => readSession(token, TERMS)).toThrow(expect.objectContaining({ why }));
  });
});
