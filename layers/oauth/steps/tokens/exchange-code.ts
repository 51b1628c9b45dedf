import type { User } from '../../../accounts/rules/user.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { AuthorizationCode, Grant } from '../../../tokens/rules/oauth-records.ts';
import {
  checkCodeClient,
  checkCodeUnexpired,
  checkSameRedirectUri,
  checkVerifier,
  invalidCode,
  readCodeExchange,
} from '../../rules/authorization/authorization-code.ts';
import { checkResource } from '../../rules/parameters.ts';
import { readPresentedClient } from '../../rules/clients/clients.ts';
import { refreshTokenOf } from '../../rules/tokens/tokens.ts';
import type { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { Ports } from '../../../ports.ts';
import {
  authenticateClient,
  type AuthenticateClientPorts,
  checkProof,
  countTokenRequest,
  isPublicClient,
  prolongClient,
} from '../clients/authenticate-client.ts';
import { checkStanding, type Issued, newAccessToken, type TokenRequest } from './token-request.ts';

export type ExchangeCodePorts = AuthenticateClientPorts &
  Pick<
    Ports,
    | 'accessTokens'
    | 'codes'
    | 'deployments'
    | 'grants'
    | 'notBefore'
    | 'random'
    | 'refreshTokens'
    | 'settings'
    | 'users'
  >;

/**
 * Gives a client its tokens for an authorization code, once. These are all checks of POST /token with the
 * grant type `authorization_code`, in their order. A request that is not the one that a code was issued for
 * leaves the code as it is, so that nobody can spoil a code by guessing.
 *
 * @throws OAuthRefusal invalid_client, invalid_request, invalid_grant, invalid_target, too_many_requests
 *
 * Source: OAuth 2.1 §4.1.3; RFC 7636 §4.6; RFC 8707 §2.2.
 */
export const exchangeCode = async (
  ports: ExchangeCodePorts,
  { sent, authorization, sourceIp }: TokenRequest,
): Promise<Issued> => {
  const { clock, codes, random, settings } = ports;
  const presented = readPresentedClient(authorization, sent);
  const client = await authenticateClient(ports, presented, sourceIp);
  const exchange = readCodeExchange(sent);

  const now = clock.now();
  const id = fingerprint(exchange.code);
  const code = await codes.find(id);
  await countTokenRequest(ports, client, code?.grant, sourceIp);
  if (!code) throw invalidCode('unknown code');
  checkCodeClient(code, client.id);
  checkProof(client, code.grant);
  checkSameRedirectUri(code, exchange);
  checkVerifier(code, exchange);
  checkResource(settings.baseUrl, exchange.resource, code.grant.slug);
  if (code.usedAt !== undefined) throw await replayed(ports, code);
  checkCodeUnexpired(code, now);
  const user = await checkStanding(ports, code.grant);
  await prolongClient(ports, client);
  // One conditional write, so that of any number of racing exchanges one wins.
  if (!(await codes.markUsed(id, random.id(), now))) throw await replayed(ports, code);

  return issueTokens(ports, code.grant, user, isPublicClient(client, code.grant));
};

const issueTokens = async (
  ports: ExchangeCodePorts,
  grant: Grant,
  user: User,
  isPublic: boolean,
): Promise<Issued> => {
  const { accessTokens, clock, grants, random, refreshTokens, settings } = ports;
  const access = newAccessToken(ports, grant, user, grant.scopes);
  const refreshToken = refreshTokenOf(random.secret());
  // Where a replay came in between, what is given out here is dead, as it would be a moment later.
  const id = fingerprint(refreshToken);
  if (await grants.begin(grant, access.ref, isPublic ? id : undefined)) {
    await Promise.all([
      accessTokens.put(access.ref.fingerprint, access.record),
      refreshTokens.put(id, {
        grantId: grant.id,
        clientId: grant.clientId,
        generation: 0,
        expiresAt: clock.now() + settings.limits.refresh_token_seconds,
      }),
    ]);
  }
  return {
    accessToken: access.text,
    expiresInSeconds: settings.limits.access_token_seconds,
    scopes: grant.scopes,
    refreshToken,
    slug: grant.slug,
  };
};

/** Whoever shows a code again has it from where it should not be: all that it bought ends. */
const replayed = async (
  { clock, events, grants }: Pick<Ports, 'clock' | 'events' | 'grants'>,
  { grant: { id, deploymentId, slug, userId } }: AuthorizationCode,
): Promise<OAuthRefusal> => {
  const why = 'code used before';
  await grants.end(id, clock.now());
  const event = 'code_replayed';
  events.record({ type: 'security', event, deploymentId, slug, subject: userId, why });
  return invalidCode(why);
};
