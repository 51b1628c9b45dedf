import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import {
  checkRefreshTokenClient,
  checkRefreshTokenUnexpired,
  invalidRefresh,
  readRefreshParameters,
} from '../../rules/tokens/refresh-parameters.ts';
import { checkResource } from '../../rules/parameters.ts';
import type { Grant, RefreshToken } from '../../../tokens/rules/oauth-records.ts';
import { narrowScopes } from '../../../tokens/rules/oauth-scopes.ts';
import { readPresentedClient } from '../../rules/clients/clients.ts';
import { refreshTokenOf } from '../../rules/tokens/tokens.ts';
import type { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { OauthPorts } from '../../ports.ts';
import type { PortsOf } from '../../../platform/ports.ts';
import {
  authenticateClient,
  checkProof,
  countTokenRequest,
  isPublicClient,
  prolongClient,
} from '../clients/authenticate-client.ts';
import { checkStanding, type Issued, newAccessToken, type TokenRequest } from './token-request.ts';

/**
 * Gives a client a new access token for its refresh token. A public client gets a new refresh token, too; until that
 * is used, the old one still gives another, since the answer may get lost.
 * @throws OAuthRefusal invalid_client, invalid_request, invalid_grant, invalid_scope, invalid_target,
 *   too_many_requests, temporarily_unavailable. Source: RFC 6749 §6; OAuth 2.1 §4.3.1; RFC 8707 §2.2.
 */
export const refresh = async (
  ports: PortsOf<typeof authenticateClient | typeof checkStanding | typeof newAccessToken> &
    Pick<OauthPorts, 'accessTokens' | 'grants' | 'refreshTokens'>,
  { sent, authorization, sourceIp }: TokenRequest,
): Promise<Issued> => {
  const { accessTokens, clock, grants, random, refreshTokens, settings } = ports;
  const presented = readPresentedClient(authorization, sent);
  const client = await authenticateClient(ports, presented, sourceIp);
  const parameters = readRefreshParameters(sent);

  const now = clock.now();
  const token = await refreshTokens.find(fingerprint(parameters.refreshToken));
  const grant = token && (await grants.find(token.grantId));
  await countTokenRequest(ports, client, grant, sourceIp);
  if (!token) throw invalidRefresh('unknown refresh token');
  checkRefreshTokenClient(token, client.id);
  checkRefreshTokenUnexpired(token, now);
  if (!grant) throw await alreadyEnded(ports, token);
  checkProof(client, grant);
  checkResource(settings.baseUrl, parameters.resource, grant.slug);
  const scopes = narrowScopes(grant.scopes, parameters.scope);
  const standing = await checkStanding(ports, grant);
  await prolongClient(ports, client);
  const access = newAccessToken(ports, grant, standing, scopes);
  const successor = isPublicClient(client, grant) ? refreshTokenOf(random.secret()) : undefined;
  const shown = {
    fingerprint: fingerprint(parameters.refreshToken),
    generation: token.generation,
    successor: successor === undefined ? undefined : fingerprint(successor),
  };
  const { outcome } = await grants.refresh(grant.id, shown, access.ref, now);
  if (outcome === 'reused') throw await reused(ports, grant);
  if (outcome === 'ended') throw invalidRefresh('grant ended, or its refresh revoked');

  const [stored] = await Promise.all([
    accessTokens.put(access.ref.fingerprint, access.record),
    // The next of its family, which expires at the same time.
    shown.successor &&
      refreshTokens.put(shown.successor, { ...token, generation: token.generation + 1 }),
  ]);
  if (!stored) throw invalidRefresh('grant ended meanwhile');

  return {
    accessToken: access.text,
    expiresInSeconds: access.expiresInSeconds,
    scopes,
    // Always sent: without it, clients assume that the server has taken their refresh token away.
    refreshToken: successor ?? parameters.refreshToken,
    offlineAccess: grant.offlineAccess === true,
    slug: grant.slug,
  };
};

/** Repeats the ending of the grant, which may have failed before its access tokens were revoked. */
const alreadyEnded = async (
  { clock, grants }: Pick<OauthPorts, 'clock' | 'grants'>,
  { grantId }: RefreshToken,
): Promise<OAuthRefusal> => {
  await grants.end(grantId, clock.now());
  return invalidRefresh('grant ended');
};

/** Two parties have the token. Which of them is the thief is unknown, so the grant ends for both. */
const reused = async (
  { clock, events, grants }: Pick<OauthPorts, 'clock' | 'events' | 'grants'>,
  { id, deploymentId, slug, userId }: Grant,
): Promise<OAuthRefusal> => {
  const why = 'refresh token used after another took its place';
  await grants.end(id, clock.now());
  const event = 'refresh_token_reused';
  events.record({ type: 'security', event, deploymentId, slug, subject: userId, why });
  return invalidRefresh(why);
};
