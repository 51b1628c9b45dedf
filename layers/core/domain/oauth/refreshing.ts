import { OAuthRefusal } from '../refusal.ts';
import type { EpochSeconds } from '../time.ts';
import { optionalParameter, requiredParameter, type SentParameters } from './parameters.ts';
import type { RefreshToken } from './records.ts';
import { readResource } from './resource.ts';

/** What a client shows for a new access token. */
export interface Refreshing {
  readonly refreshToken: string;
  readonly scope: string | undefined;
  readonly resource: string | undefined;
}

/** @throws OAuthRefusal invalid_request, invalid_target. Source: RFC 6749 §6; RFC 8707 §2.2. */
export const readRefreshing = (sent: SentParameters): Refreshing => ({
  refreshToken: requiredParameter(sent, 'refresh_token'),
  scope: optionalParameter(sent, 'scope'),
  resource: readResource(sent),
});

/**
 * Checks what the token itself says; whether its family still lives is the grant's to say.
 *
 * @throws OAuthRefusal invalid_grant
 *
 * Source: RFC 6749 §6; D18; K5.
 */
export const checkRefreshToken = (
  token: RefreshToken,
  clientId: string,
  now: EpochSeconds,
): void => {
  if (token.clientId !== clientId) throw invalidRefresh('refresh token of another client');
  if (now >= token.expiresAt) throw invalidRefresh('refresh token expired');
};

export const invalidRefresh = (why: string): OAuthRefusal =>
  new OAuthRefusal('invalid_grant', 'The refresh token is not valid.', why);
