import { basicCredentials } from './client-authentication.ts';
import { optionalParameter, requiredParameter, type SentParameters } from './parameters.ts';

export interface Revocation {
  readonly token: string;
  /** Everything that the client said of itself: no proof is asked for, but none may be another's. */
  readonly clientIds: readonly string[];
}

/**
 * Whoever has a token may revoke it. What kind it is its text tells, whatever `token_type_hint` says.
 *
 * @throws OAuthRefusal invalid_request
 *
 * Source: RFC 7009 §2.1; docs/decisions.md, "Revocation".
 */
export const readRevocation = (
  authorization: string | undefined,
  sent: SentParameters,
): Revocation => ({
  token: requiredParameter(sent, 'token'),
  clientIds: [basicCredentials(authorization)?.id, optionalParameter(sent, 'client_id')].filter(
    (id) => id !== undefined,
  ),
});
