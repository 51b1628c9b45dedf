import type { MailToken, Session, User } from '../../../layers/accounts/rules/user.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type {
  AccessToken,
  AccessTokenRef,
  AuthorizationCode,
  AuthorizationRequest,
  Decision,
  Grant,
  MintedToken,
  OAuthClient,
  RefreshToken,
} from '../../../layers/tokens/rules/oauth-records.ts';
import { DAY, HOUR, MINUTE } from '../../../layers/platform/rules/time.ts';
import type { ShownRefreshToken } from '../../../layers/oauth/rules/grants.ts';
import { NOON } from '../aws/dynamodb-fixtures.ts';

export const aClient = (over: Partial<OAuthClient> = {}): OAuthClient => ({
  id: 'mcp_client',
  source: 'registration',
  name: 'An assistant',
  redirectUris: ['https://client.example/callback'],
  authMethod: 'none',
  scopes: [],
  createdAt: NOON,
  expiresAt: NOON + 90 * DAY,
  ...over,
});

export const aRequest = (over: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  clientId: 'mcp_client',
  clientName: 'An assistant',
  redirectUri: 'https://client.example/callback',
  codeChallenge: 'c'.repeat(43),
  scopes: ['mcp.tools.read'],
  expiresAt: NOON + 10 * MINUTE,
  ...over,
});

export const aGrant = (over: Partial<Grant> = {}): Grant => ({
  id: 'grant-1',
  userId: 'user-1',
  email: 'ada@example.com',
  plan: 'free',
  clientId: 'mcp_client',
  clientName: 'An assistant',
  deploymentId: 'dep-1',
  slug: 'weather',
  scopes: ['mcp.tools.read', 'mcp.tools.execute'],
  createdAt: NOON,
  ...over,
});

export const aCode = (over: Partial<AuthorizationCode> = {}): AuthorizationCode => ({
  grant: aGrant(),
  redirectUri: 'https://client.example/callback',
  codeChallenge: 'c'.repeat(43),
  expiresAt: NOON + 10 * MINUTE,
  ...over,
});

export const aDecision = (over: Partial<Decision> = {}): Decision => ({
  decision: 'approve',
  slug: 'weather',
  session: fingerprint('session'),
  decidedAt: NOON,
  seed: 's'.repeat(43),
  ...over,
});

export const anAccessToken = (over: Partial<AccessToken> = {}): AccessToken => ({
  grantId: 'grant-1',
  userId: 'user-1',
  email: 'ada@example.com',
  plan: 'free',
  clientId: 'mcp_client',
  deploymentId: 'dep-1',
  scopes: ['mcp.tools.read'],
  grantedAt: NOON,
  expiresAt: NOON + HOUR,
  revoked: false,
  ...over,
});

export const aRefreshToken = (over: Partial<RefreshToken> = {}): RefreshToken => ({
  grantId: 'grant-1',
  clientId: 'mcp_client',
  generation: 0,
  expiresAt: NOON + 90 * DAY,
  ...over,
});

/** A refresh token that its client keeps. */
export const kept = (generation = 0): ShownRefreshToken => ({
  fingerprint: fingerprint(`refresh-${generation}`),
  generation,
  successor: undefined,
});

/** One that is shown for the next: `0` for `1`, and `1` for `1b` again. */
export const shown = (token: string, successor: string): ShownRefreshToken => ({
  fingerprint: fingerprint(token),
  generation: Number.parseInt(token, 10),
  successor: fingerprint(successor),
});

export const aMintedToken = (over: Partial<MintedToken> = {}): MintedToken => ({
  jti: 'jti-1',
  deploymentId: 'dep-1',
  scopes: ['mcp.tools.read'],
  createdAt: NOON,
  expiresAt: NOON + DAY,
  revoked: false,
  ...over,
});

export const aSession = (over: Partial<Session> = {}): Session => ({
  kind: 'browser',
  userId: 'user-1',
  email: 'ada@example.com',
  createdAt: NOON,
  expiresAt: NOON + HOUR,
  ...over,
});

export const aUser = (over: Partial<User> = {}): User => ({
  id: 'user-1',
  email: 'ada@example.com',
  plan: 'free',
  passwordHash: 'scrypt$131072$8$1$salt$hash',
  signedOutAt: 0,
  createdAt: NOON,
  revision: 1,
  ...over,
});

export const aMailToken = (over: Partial<MailToken> = {}): MailToken => ({
  purpose: 'sign_up',
  email: 'ada@example.com',
  expiresAt: NOON + DAY,
  ...over,
});

/** An access token as its grant notes it. */
export const noted = (secret: string, expiresAt = NOON + HOUR): AccessTokenRef => ({
  fingerprint: fingerprint(secret),
  expiresAt,
});
