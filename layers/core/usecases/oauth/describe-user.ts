import { bearerToken, checkSingle } from '../../domain/access/authorization.ts';
import { addressSubject } from '../../domain/access/subject.ts';
import { type AccessToken, fingerprint, userInfo } from '../../domain/oauth/index.ts';
import { RouterRefusal } from '../../domain/refusal.ts';
import type { EpochSeconds } from '../../domain/time.ts';
import type { Ports } from '../../ports.ts';

export type DescribeUserPorts = Pick<Ports, 'accessTokens' | 'clock' | 'events' | 'users'>;

export interface DescribeUserRequest {
  readonly authorization: string | undefined;
  /** As the gateway saw it. */
  readonly sourceIp: string;
}

const NEEDED = { scopes: ['openid'] } as const;

/**
 * The user behind an access token, as far as its scopes tell.
 *
 * @returns claims as they go on the wire
 * @throws RouterRefusal bad_request, missing_token, invalid_token, insufficient_scope
 *
 * Source: OpenID Connect Core §5.3; RFC 6750 §3; D25; K9.
 */
export const describeUser = async (
  { accessTokens, clock, events, users }: DescribeUserPorts,
  { authorization, sourceIp }: DescribeUserRequest,
): Promise<Readonly<Record<string, unknown>>> => {
  checkSingle(authorization);
  const text = bearerToken(authorization);
  if (text === undefined) {
    throw new RouterRefusal('missing_token', 'This endpoint needs a bearer token.', NEEDED);
  }
  const invalidToken = (why: string): RouterRefusal => {
    const subject = addressSubject(sourceIp);
    events.record({ type: 'security', event: 'authentication_failed', subject, why });
    return new RouterRefusal('invalid_token', 'The bearer token is not valid.', NEEDED, why);
  };

  const token = await accessTokens.find(fingerprint(text));
  if (!token) throw invalidToken('unknown token');
  const fault = faultOf(token, clock.now());
  if (fault !== undefined) throw invalidToken(fault);
  if (!token.scopes.includes('openid')) {
    throw new RouterRefusal('insufficient_scope', 'The token lacks the scope openid.', NEEDED);
  }
  const user = await users.find(token.userId);
  if (!user) throw invalidToken('user removed');
  return userInfo(user, token.scopes);
};

const faultOf = ({ expiresAt, revoked }: AccessToken, now: EpochSeconds): string | undefined => {
  if (revoked) return 'revoked token';
  return now < expiresAt ? undefined : 'expired token';
};
