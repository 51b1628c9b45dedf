import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { NoAnswerReason } from '../../../target/rules/target.ts';

/** Completes the sentence "it could not be fetched from HOST:". */
const CAUSES: Readonly<Record<NoAnswerReason, string>> = {
  invalid_request: 'it is no address that can be fetched',
  blocked_address: 'the address is not a public one, or the own of this service',
  credential_not_for_this_host: 'the address must not be fetched',
  dns_failure: 'the name is not found from here',
  connection_refused: 'the connection is refused',
  connection_failed: 'no connection comes about from here',
  tls_failure:
    'no secure connection comes about, perhaps for a proxy with a certificate of its own',
  timeout: 'there is no answer in time',
  no_time_left: 'too little time was left for it, and another try may do',
  redirect_refused: 'it leads elsewhere',
  invalid_response: 'what answers does not speak HTTP',
  too_large: 'it is larger than 5 KB',
};

/**
 * A client's metadata document that could not be had. The client itself may be as it should: where a service
 * has no way to the internet, no client that names a document gets in.
 *
 * @param url - a document's, in its normal form: its host is ASCII
 */
export const unreachable = (url: string, reason: NoAnswerReason): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_client',
    `The metadata document of the client could not be fetched from ${new URL(url).host}: ${CAUSES[reason]} (${reason}).`,
    `metadata document: ${reason}`,
    { document: 'unreachable' },
  );
