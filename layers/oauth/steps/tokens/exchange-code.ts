import type { User } from '../../../accounts/rules/user.ts';
import { type Fingerprint, fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { AuthorizationCode } from '../../../tokens/rules/oauth-records.ts';
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
import { ID_TOKEN_TYPE, idTokenClaims } from '../../rules/tokens/id-token.ts';
import { userInfo } from '../../rules/tokens/user-info.ts';
import { authorizationServer } from '../../../platform/rules/addresses.ts';
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
import {
  checkStanding,
  type Issued,
  newAccessToken,
  type Standing,
  type TokenRequest,
} from './token-request.ts';

export type ExchangeCodePorts = PortsOf<
  typeof authenticateClient | typeof checkStanding | typeof newAccessToken
> &
  Pick<
    OauthPorts,
    'accessTokens' | 'codes' | 'grants' | 'refreshTokens' | 'signer' | 'transactions'
  >;

/**
 * Exchanges an authorization code for tokens, once. A request that does not match the code leaves it unused, so that
 * nobody can spoil a code by guessing.
 * @throws OAuthRefusal invalid_client, invalid_request, invalid_grant, invalid_target, too_many_requests,
 *   temporarily_unavailable. Source: OAuth 2.1 §4.1.3; RFC 7636 §4.6; RFC 8707 §2.2; OpenID Connect Core 1.0 §3.1.3.
 */
export const exchangeCode = async (
  ports: ExchangeCodePorts,
  { sent, authorization, sourceIp }: TokenRequest,
): Promise<Issued> => {
  const { clock, codes, settings } = ports;
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
  const standing = await checkStanding(ports, code.grant);
  await prolongClient(ports, client);
  return buyTokens(ports, { id, code, standing, isPublic: isPublicClient(client, code.grant) });
};

interface Purchase {
  readonly id: Fingerprint;
  readonly code: AuthorizationCode;
  readonly standing: Standing;
  readonly isPublic: boolean;
}

/** One transaction: one of several racing exchanges wins, and a failure leaves the code usable for a retry. */
const buyTokens = async (
  ports: ExchangeCodePorts,
  { id, code, standing, isPublic }: Purchase,
): Promise<Issued> => {
  const { accessTokens, clock, codes, grants, random, refreshTokens, settings, transactions } =
    ports;
  const { grant } = code;
  const now = clock.now();
  const access = newAccessToken(ports, grant, standing, grant.scopes);
  // Signed before the code is used up, so that a failing signature leaves it usable.
  const idToken = await newIdToken(ports, code, standing.user, access.text);
  const refreshToken = grant.withoutRefresh ? undefined : refreshTokenOf(random.secret());
  const shown = refreshToken === undefined ? undefined : fingerprint(refreshToken);
  const refused = await transactions.commit({
    code: codes.spending(id, random.id(), now),
    grant: shown
      ? grants.beginning(grant, access.ref, isPublic ? shown : undefined)
      : grants.beginningOnce(grant, access.ref),
    access: accessTokens.storing(access.ref.fingerprint, access.record),
    ...(shown && {
      refresh: refreshTokens.storing(shown, {
        grantId: grant.id,
        clientId: grant.clientId,
        generation: 0,
        expiresAt: now + settings.limits.refresh_token_seconds,
      }),
    }),
  });
  if (refused.has('code')) throw await replayed(ports, code);
  if (refused.size > 0) throw invalidCode('grant ended before it began');
  return {
    accessToken: access.text,
    expiresInSeconds: access.expiresInSeconds,
    scopes: grant.scopes,
    refreshToken,
    offlineAccess: grant.offlineAccess === true,
    ...(idToken !== undefined && { idToken }),
    slug: grant.slug,
  };
};

/** @returns undefined without the scope `openid` */
const newIdToken = async (
  { clock, settings, signer }: Pick<ExchangeCodePorts, 'clock' | 'settings' | 'signer'>,
  { grant: { clientId, scopes }, nonce, authTime }: AuthorizationCode,
  user: User,
  accessToken: string,
): Promise<string | undefined> => {
  if (!scopes.includes('openid')) return undefined;
  const issuer = authorizationServer(settings.baseUrl);
  const asked = { issuer, clientId, nonce, authTime, accessToken, issuedAt: clock.now() };
  return signer.sign(ID_TOKEN_TYPE, idTokenClaims(asked, userInfo(user, scopes)));
};

/** A code that is presented twice was stolen: everything that it bought ends. */
const replayed = async (
  { clock, events, grants }: Pick<OauthPorts, 'clock' | 'events' | 'grants'>,
  { grant: { id, deploymentId, slug, userId } }: AuthorizationCode,
): Promise<OAuthRefusal> => {
  const why = 'code used before';
  await grants.end(id, clock.now());
  const event = 'code_replayed';
  events.record({ type: 'security', event, deploymentId, slug, subject: userId, why });
  return invalidCode(why);
};
