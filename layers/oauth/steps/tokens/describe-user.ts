import { isSignedOut } from '../../../accounts/rules/signed-out.ts';
import { endOfGrant } from '../../../tokens/rules/not-before.ts';
import {
  bearerToken,
  checkSingle,
  EndedToken,
  InvalidToken,
} from '../../../tokens/rules/authorization.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { AccessToken } from '../../../tokens/rules/oauth-records.ts';
import { userInfo } from '../../rules/tokens/user-info.ts';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import { RouterRefusal } from '../../../platform/rules/refusal/router-refusal.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { LimitDecision } from '../../../limits/rules/decisions.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import {
  countInvalidToken,
  mayShowToken,
  rememberGoodToken,
} from '../../../tokens/steps/invalid-tokens.ts';
import type { PortsOf } from '../../../platform/ports.ts';
import type { TokenRequest } from './token-request.ts';

const NEEDED = { scopes: ['openid'] } as const;

/**
 * @returns userinfo claims
 * @throws RouterRefusal bad_request, missing_token, invalid_token, insufficient_scope
 * @throws OAuthRefusal too_many_requests. Source: OpenID Connect Core §5.3; RFC 6750 §3; docs/decisions/oauth.md,
 *   "Userinfo"; docs/decisions/limits.md, "Invalid tokens".
 */
export const describeUser = async (
  ports: PortsOf<typeof countInvalidToken> &
    Pick<AccountsPorts, 'accessTokens' | 'notBefore' | 'users'>,
  { authorization, sourceIp }: Pick<TokenRequest, 'authorization' | 'sourceIp'>,
): Promise<Readonly<Record<string, unknown>>> => {
  const { accessTokens, clock, notBefore, users } = ports;
  checkSingle(authorization);
  const text = bearerToken(authorization);
  if (text === undefined) {
    throw new RouterRefusal('missing_token', 'This endpoint needs a bearer token.', NEEDED);
  }
  const shown = { sourceIp, at: 'userinfo', token: text };
  checkAllowed(mayShowToken(ports, shown));
  const refused = async (error: InvalidToken): Promise<RouterRefusal> => {
    checkAllowed(await countInvalidToken(ports, shown, error));
    return new RouterRefusal('invalid_token', 'The bearer token is not valid.', NEEDED, error.why);
  };

  const [token, ended] = await Promise.all([
    accessTokens.find(fingerprint(text)),
    notBefore.find(),
  ]);
  if (!token) throw await refused(new InvalidToken('unknown token'));
  const fault = faultOf(token, clock.now()) ?? endOfGrant(ended, token);
  if (fault !== undefined) throw await refused(new EndedToken(fault));
  if (!token.scopes.includes('openid')) {
    throw new RouterRefusal('insufficient_scope', 'The token lacks the scope openid.', NEEDED);
  }
  const user = await users.find(token.userId);
  if (!user) throw await refused(new EndedToken('user removed'));
  if (isSignedOut(user, token.grantedAt)) throw await refused(new EndedToken('user signed out'));
  rememberGoodToken(ports, shown);
  return userInfo(user, token.scopes);
};

/** @throws OAuthRefusal too_many_requests */
const checkAllowed = (verdict: LimitDecision): void => {
  if (verdict.allowed) return;
  const { retryAfterSeconds } = verdict;
  throw new OAuthRefusal(
    'too_many_requests',
    `Too many invalid tokens came from this address. Try again in ${retryAfterSeconds} seconds.`,
    'invalid_tokens_per_minute_per_ip',
    { retryAfterSeconds },
  );
};

const faultOf = ({ expiresAt, revoked }: AccessToken, now: EpochSeconds): string | undefined => {
  if (revoked) return 'revoked token';
  return now < expiresAt ? undefined : 'expired token';
};
