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
  /** Every client id in the request. None needs proof, but the token must not belong to another client. */
  readonly clientIds: readonly string[];
  /** Optional, but verified if it is sent. */
  readonly assertion: PresentedAssertion | undefined;
}

/**
 * Whoever has a token may revoke it. Its prefix shows its kind; `token_type_hint` is ignored.
 * @throws OAuthRefusal invalid_request; invalid_client for an assertion that cannot be read
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
