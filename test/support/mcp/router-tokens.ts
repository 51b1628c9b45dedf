import { randomUUID } from 'node:crypto';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { usageSubject } from '../../../layers/limits/rules/windows.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { mintedClaims } from '../../../layers/tokens/rules/own-jwts.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type { AccessToken } from '../../../layers/tokens/rules/oauth-records.ts';
import { NOON } from '../aws/dynamodb-fixtures.ts';
import { BASE_URL, type TestRouter } from './router.ts';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The store of access tokens, as the authorization server has it. */
export const accessTokensOf = ({ store }: TestRouter) =>
  dynamoAccessTokens(store.instance(), store.tableName('oauth'));

/** Of a user of these tests. */
const emailOf = (userId: string): string => `${userId}@example.com`;

/** Whom the usage of such a user is kept for. */
export const usageOf = (userId: string): string => usageSubject(emailOf(userId));

/** An access token of a new user of the pro plan, for a deployment that lets anybody in; `over` says what is different. */
export const anAccessToken = async (
  router: TestRouter,
  deployment: Deployment,
  over: Partial<AccessToken> = {},
): Promise<string> => {
  const text = `mcp_access_${randomUUID()}`;
  const userId = over.userId ?? randomUUID();
  await accessTokensOf(router).put(fingerprint(text), {
    grantId: randomUUID(),
    userId,
    email: emailOf(userId),
    plan: 'pro',
    clientId: 'mcp_client',
    deploymentId: deployment.id,
    scopes: ['mcp.tools.read', 'mcp.tools.execute'],
    grantedAt: NOON,
    expiresAt: NOON + 3600,
    revoked: false,
    ...over,
  });
  return text;
};

export interface TestMinting {
  readonly type?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Whose record there is; the deployment's unless it says otherwise. */
  readonly deploymentId?: string;
  readonly createdAt?: number;
  /** What its minter knew of sign-outs; absent: an operator minted it. */
  readonly minterSignedOutAt?: number;
  /** As it was before minted tokens had keys of their own. */
  readonly isFromBefore?: true;
}

/** A JWT that the service's own key signed for a deployment, and its record. */
export const aMintedToken = async (
  { owner }: TestRouter,
  { id, slug, ownerId }: Deployment,
  { type = 'at+jwt', claims = {}, deploymentId = id, isFromBefore, ...known }: TestMinting = {},
): Promise<{ readonly text: string; readonly jti: string }> => {
  const jti = randomUUID();
  const expiresAt = NOON + 3600;
  const scopes = ['mcp.tools.read', 'mcp.tools.execute'] as const;
  const record = { jti, deploymentId, scopes, createdAt: NOON, expiresAt, revoked: false };
  await owner.mintedTokens.put({ ...record, ...(!isFromBefore && { ownKey: true }), ...known });
  const text = await owner.signer.sign(type, {
    ...mintedClaims({
      issuer: `${BASE_URL}/mcp-oauth-server`,
      subject: ownerId,
      audience: `${BASE_URL}/mcp-router/${slug}/messages`,
      jti,
      scopes,
      issuedAt: NOON,
      expiresAt,
    }),
    ...claims,
  });
  return { text, jti };
};
