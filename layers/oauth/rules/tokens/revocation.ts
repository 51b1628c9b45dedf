import {
  basicCredentials,
  type PresentedAssertion,
  presentedAssertion,
} from '../clients/clients.ts';
import {
  optionalParameter,
  requiredParameter,
  type SentParameters,
} from '../../../platform/rules/sent-parameters.ts';

export interface Revocation {
  readonly token: string;
  /** Everything that the client said of itself: no proof is asked for, but none may be another's. */
  readonly clientIds: readonly string[];
  /** Shown of its own accord; then it must be right. */
  readonly assertion: PresentedAssertion | undefined;
}

/**
 * Whoever has a token may revoke it. Its text shows of which kind it is, whatever `token_type_hint` says.
 *
 * @throws OAuthRefusal invalid_request; invalid_client for an assertion that cannot be read
 *
 * Source: RFC 7009 §2.1; docs/decisions/oauth.md, "Revocation".
 */
export const readRevocation = (
  authorization: string | undefined,
  sent: SentParameters,
): Revocation => {
  const token = requiredParameter(sent, 'token');
  const assertion = presentedAssertion(sent);
  const ids = [
    basicCredentials(authorization)?.id,
    optionalParameter(sent, 'client_id'),
    assertion?.id,
  ];
  return { token, clientIds: ids.filter((id) => id !== undefined), assertion };
};
