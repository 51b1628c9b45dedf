import {
  checkRefreshToken,
  checkResource,
  fingerprint,
  type Grant,
  invalidRefresh,
  narrowScopes,
  type RefreshToken,
  refreshTokenOf,
  type Refreshing,
} from '../../domain/oauth/index.ts';
import type { OAuthRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import type { ProvenClient } from './authenticate-client.ts';
import { checkStanding } from './check-standing.ts';
import type { CountRequestPorts } from './count-request.ts';
import { countTokenRequest } from './count-token-request.ts';
import { type Issued, newAccessToken } from './issued.ts';

export type RefreshPorts = CountRequestPorts &
  Pick<
    Ports,
    | 'accessTokens'
    | 'deployments'
    | 'events'
    | 'grants'
    | 'mint'
    | 'refreshTokens'
    | 'settings'
    | 'users'
  >;

export interface RefreshRequest {
  readonly client: ProvenClient;
  readonly sourceIp: string;
  readonly refreshing: Refreshing;
}

/**
 * Gives a client a new access token for its refresh token. A public client gets a new refresh token
 * as well; the old one works until the new one is used, since the answer may get lost.
 *
 * @throws OAuthRefusal invalid_grant, invalid_scope, invalid_target, too_many_requests
 *
 * Source: RFC 6749 §6; OAuth 2.1 §4.3.1; D18, D35; K5.
 */
export const refresh = async (
  ports: RefreshPorts,
  { client, sourceIp, refreshing }: RefreshRequest,
): Promise<Issued> => {
  const { accessTokens, grants, refreshTokens, settings } = ports;
  const now = ports.clock.now();

  const token = await refreshTokens.find(fingerprint(refreshing.refreshToken));
  const grant = token && (await grants.find(token.grantId));
  await countTokenRequest(ports, client, grant?.userId, sourceIp);
  if (!token) throw invalidRefresh('unknown refresh token');

  checkRefreshToken(token, client.id, now);
  if (!grant) {
    // Whatever ended it may have broken off before its access tokens were revoked.
    await grants.end(token.grantId, now);
    throw invalidRefresh('grant ended');
  }
  checkResource(settings.baseUrl, refreshing.resource, grant.slug);
  const scopes = narrowScopes(grant.scopes, refreshing.scope);
  const user = await checkStanding(ports, grant);

  const access = newAccessToken(ports, grant, user, scopes);
  const { outcome } = await grants.refresh(grant.id, token.generation, access.noted, now);
  if (outcome === 'reused') throw await reused(ports, grant);
  if (outcome === 'ended') throw invalidRefresh('grant ended, or its refresh revoked');

  const [stored, refreshToken] = await Promise.all([
    accessTokens.put(access.noted.fingerprint, access.record),
    client.authMethod === 'none' ? succeed(ports, token) : undefined,
  ]);
  if (!stored) throw invalidRefresh('grant ended meanwhile');

  return {
    accessToken: access.text,
    expiresInSeconds: settings.limits.access_token_seconds,
    scopes,
    refreshToken,
    slug: grant.slug,
  };
};

/** The next of the family; its end stays the same. */
const succeed = async (
  { mint, refreshTokens }: Pick<Ports, 'mint' | 'refreshTokens'>,
  token: RefreshToken,
): Promise<string> => {
  const text = refreshTokenOf(mint.secret());
  await refreshTokens.put(fingerprint(text), { ...token, generation: token.generation + 1 });
  return text;
};

/** Two hold what one should have: which of them is the thief cannot be told, so both are out. */
const reused = async (
  { clock, events, grants }: Pick<Ports, 'clock' | 'events' | 'grants'>,
  { id, deploymentId, slug, userId }: Grant,
): Promise<OAuthRefusal> => {
  const why = 'refresh token used after its successor';
  await grants.end(id, clock.now());
  const event = 'refresh_token_reused';
  events.record({ type: 'security', event, deploymentId, slug, subject: userId, why });
  return invalidRefresh(why);
};
