import {
  type AuthorizationCode,
  checkCodeUnexpired,
  checkExchange,
  type CodeExchange,
  fingerprint,
  invalidCode,
  refreshTokenOf,
} from '../../domain/oauth/index.ts';
import type { OAuthRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import type { ProvenClient } from './authenticate-client.ts';
import { checkStanding } from './check-standing.ts';
import type { CountRequestPorts } from './count-request.ts';
import { countTokenRequest } from './count-token-request.ts';
import { type Issued, newAccessToken } from './issued.ts';

export type ExchangeCodePorts = CountRequestPorts &
  Pick<
    Ports,
    | 'accessTokens'
    | 'codes'
    | 'deployments'
    | 'events'
    | 'grants'
    | 'mint'
    | 'refreshTokens'
    | 'settings'
    | 'users'
  >;

export interface CodeExchangeRequest {
  readonly client: ProvenClient;
  readonly sourceIp: string;
  readonly exchange: CodeExchange;
}

/**
 * Gives a client its tokens for an authorization code, once.
 *
 * @throws OAuthRefusal invalid_grant, invalid_target, too_many_requests
 *
 * Source: OAuth 2.1 §4.1.3; D19, D35; K2 to K4.
 */
export const exchangeCode = async (
  ports: ExchangeCodePorts,
  { client, sourceIp, exchange }: CodeExchangeRequest,
): Promise<Issued> => {
  const { accessTokens, codes, grants, mint, refreshTokens, settings } = ports;
  const now = ports.clock.now();
  const id = fingerprint(exchange.code);

  const code = await codes.find(id);
  await countTokenRequest(ports, client, code?.grant.userId, sourceIp);
  if (!code) throw invalidCode('unknown code');
  const { grant } = code;

  checkExchange(code, exchange, client.id, settings.baseUrl);
  if (code.usedAt !== undefined) throw await replayed(ports, code);
  checkCodeUnexpired(code, now);
  const user = await checkStanding(ports, grant);

  // One conditional write, so that of any number of racing exchanges one wins.
  if (!(await codes.markUsed(id, mint.id(), now))) throw await replayed(ports, code);

  const access = newAccessToken(ports, grant, user, grant.scopes);
  const refreshToken = refreshTokenOf(mint.secret());
  // Where a replay came in between, what is given out here is dead, as it would be a moment later.
  if (await grants.begin(grant, access.noted)) {
    await Promise.all([
      accessTokens.put(access.noted.fingerprint, access.record),
      refreshTokens.put(fingerprint(refreshToken), {
        grantId: grant.id,
        clientId: client.id,
        generation: 0,
        expiresAt: now + settings.limits.refresh_token_seconds,
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
