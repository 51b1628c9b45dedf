import { OAuthRefusal } from '../../platform/rules/refusal/oauth-refusal.ts';
import { requiredParameter, type SentParameters } from '../../platform/rules/sent-parameters.ts';

/** Source: RFC 7523 §2.1. */
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const ALWAYS = ['authorization_code', 'refresh_token'] as const;

export type GrantType = (typeof ALWAYS)[number] | typeof JWT_BEARER;

/** @param takesAssertions - whether the operator has named identity providers */
export const offeredGrantTypes = (takesAssertions: boolean): readonly GrantType[] =>
  takesAssertions ? [...ALWAYS, JWT_BEARER] : ALWAYS;

/**
 * @param takesAssertions - as above
 * @throws OAuthRefusal invalid_request, unsupported_grant_type. Source: RFC 6749 §5.2.
 */
export const readGrantType = (sent: SentParameters, takesAssertions: boolean): GrantType => {
  const offered = offeredGrantTypes(takesAssertions);
  const grantType = requiredParameter(sent, 'grant_type');
  const known = offered.find((one) => one === grantType);
  if (known !== undefined) return known;
  throw new OAuthRefusal(
    'unsupported_grant_type',
    `The grant_type must be ${offered.join(' or ')}.`,
  );
};
