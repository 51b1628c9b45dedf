import { randomUUID } from 'node:crypto';
import { dynamoAccessTokens } from '../../layers/core/adapters/dynamodb/access-tokens.ts';
import type { Deployment } from '../../layers/core/domain/deployment.ts';
import { mintedClaims } from '../../layers/core/domain/jwt/index.ts';
import { type AccessToken, fingerprint } from '../../layers/core/domain/oauth/records.ts';
import { NOON } from '../adapters/dynamodb/fixtures.ts';
import { BASE_URL, type TestRouter } from './router.ts';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The store of access tokens, as the authorization server has it. */
export const accessTokensOf = ({ store }: TestRouter) =>
  dynamoAccessTokens(store.instance(), store.tableName('oauth'));

/** An access token of a new user of the pro plan, for a deployment that lets anybody in; `over` says what is different. */
export const anAccessToken = async (
  router: TestRouter,
  deployment: Deployment,
  over: Partial<AccessToken> = {},
): Promise<string> => {
  const text = `mcp_access_${randomUUID()}`;
  await accessTokensOf(router).put(fingerprint(text), {
    grantId: randomUUID(),
    userId: randomUUID(),
    email: 'ann@example.com',
    plan: 'pro',
    clientId: 'mcp_client',
    deploymentId: deployment.id,
    scopes: ['mcp.tools.read', 'mcp.tools.execute'],
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
}

/** A JWT that the service's own key signed for a deployment, and its record. */
export const aMintedToken = async (
  { owner }: TestRouter,
  { id, slug, ownerId }: Deployment,
  { type = 'at+jwt', claims = {}, deploymentId = id }: TestMinting = {},
): Promise<{ readonly text: string; readonly jti: string }> => {
  const jti = randomUUID();
  const expiresAt = NOON + 3600;
  const scopes = ['mcp.tools.read', 'mcp.tools.execute'] as const;
  const record = { jti, deploymentId, scopes, createdAt: NOON, expiresAt, revoked: false };
  await owner.mintedTokens.put(record);
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
