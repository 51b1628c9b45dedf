import { OAuthRefusal } from '../refusal.ts';
import { requiredParameter, type SentParameters } from './parameters.ts';

export type GrantType = 'authorization_code' | 'refresh_token';

/** @throws OAuthRefusal invalid_request, unsupported_grant_type. Source: RFC 6749 §5.2. */
export const readGrantType = (sent: SentParameters): GrantType => {
  const grantType = requiredParameter(sent, 'grant_type');
  if (grantType === 'authorization_code' || grantType === 'refresh_token') return grantType;
  throw new OAuthRefusal(
    'unsupported_grant_type',
    'The grant_type must be authorization_code or refresh_token.',
  );
};
