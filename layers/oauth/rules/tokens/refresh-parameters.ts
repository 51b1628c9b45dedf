import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import {
  optionalParameter,
  requiredParameter,
  type SentParameters,
} from '../../../platform/rules/sent-parameters.ts';
import type { RefreshToken } from '../../../tokens/rules/oauth-records.ts';
import { readResource } from '../parameters.ts';

/** @throws OAuthRefusal invalid_request, invalid_target. Source: RFC 6749 §6; RFC 8707 §2.2. */
export const readRefreshParameters = (sent: SentParameters) => ({
  refreshToken: requiredParameter(sent, 'refresh_token'),
  scope: optionalParameter(sent, 'scope'),
  resource: readResource(sent),
});

/** @throws OAuthRefusal invalid_grant. Source: RFC 6749 §6. */
export const checkRefreshTokenClient = (token: RefreshToken, clientId: string): void => {
  if (token.clientId !== clientId) throw invalidRefresh('refresh token of another client');
};

/** Checks only the token; the grant says whether its family was ended. @throws OAuthRefusal invalid_grant */
export const checkRefreshTokenUnexpired = (token: RefreshToken, now: EpochSeconds): void => {
  if (now >= token.expiresAt) throw invalidRefresh('refresh token expired');
};

export const invalidRefresh = (why: string): OAuthRefusal =>
  new OAuthRefusal('invalid_grant', 'The refresh token is not valid.', why);
