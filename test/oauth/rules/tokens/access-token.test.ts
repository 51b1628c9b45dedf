import { describe, expect, test } from '@jest/globals';
import {
  accessTokenOf,
  checkAccessToken,
  isAccessToken,
} from '../../../../layers/oauth/rules/tokens/tokens.ts';
import type { AccessToken } from '../../../../layers/tokens/rules/oauth-records.ts';

/** 2026-11-20T12:00:00Z */
const NOON = 1_795_176_000;

const TOKEN: AccessToken = {
  grantId: 'grant-1',
  userId: 'user-1',
  email: 'ann@example.com',
  plan: 'free',
  clientId: 'mcp_1',
  deploymentId: 'dep-1',
  scopes: ['mcp.tools.read'],
  grantedAt: NOON,
  expiresAt: NOON + 3600,
  revoked: false,
};
const check = (over: Partial<AccessToken>, now = NOON) =>
  checkAccessToken({ ...TOKEN, ...over }, 'dep-1', now);

describe('an access token', () => {
  test('is valid at its deployment up to the last second before it expires', () => {
    expect(check({}, NOON + 3599)).toEqual(TOKEN);
  });

  test.each([
    ['from the second it expires', { expiresAt: NOON }, 'token expired'],
    ['when it was revoked', { revoked: true }, 'token revoked'],
    ['at another deployment', { deploymentId: 'dep-2' }, 'token for another deployment'],
  ])('is refused %s', (_, over, why) => {
    expect(() => check(over)).toThrow(expect.objectContaining({ name: 'InvalidToken', why }));
  });

  test('that is not stored is refused', () => {
    expect(() => checkAccessToken(undefined, 'dep-1', NOON)).toThrow('unknown token');
  });
});

describe('the format of an access token', () => {
  const ID = '0e0c3a5e-6d1c-4d8e-9f0a-0b1c2d3e4f50';

  test('is that of the tokens this service issues', () => {
    expect(isAccessToken(accessTokenOf(ID))).toBe(true);
  });

  test.each([
    '',
    ID,
    'mcp_access_',
    `mcp_access_${ID} `,
    ` mcp_access_${ID}`,
    `mcp_access_${ID}\n`,
    `mcp_access_${ID}0`,
    `mcp_access_${ID.toUpperCase()}`,
    `mcp_access_${ID.replaceAll('-', '')}`,
    `mcp_refresh_${ID}`,
    `MCP_ACCESS_${ID}`,
  ])('excludes %p', (text) => {
    expect(isAccessToken(text)).toBe(false);
  });
});
