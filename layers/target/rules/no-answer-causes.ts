import type { NoAnswerReason } from './target.ts';

/** Completes the sentence "it could not be fetched from HOST:" about a document. */
export const NO_ANSWER_CAUSES: Readonly<Record<NoAnswerReason, string>> = {
  invalid_request: 'it is no address that can be fetched',
  blocked_address: 'the address is not a public one, or one of this service itself',
  // Documents are fetched only over the public internet.
  unknown_network: 'the address must not be fetched',
  network_unavailable: 'the address must not be fetched',
  network_busy: 'the address must not be fetched',
  host_not_in_network: 'the address must not be fetched',
  address_not_in_network: 'the address must not be fetched',
  too_large_for_network: 'the address must not be fetched',
  credential_not_for_this_host: 'the address must not be fetched',
  dns_failure: 'the name is not found from here',
  connection_refused: 'the connection is refused',
  connection_failed: 'no connection comes about from here',
  tls_failure:
    'no secure connection comes about, perhaps for a proxy with a certificate of its own',
  certificate_self_signed: 'its certificate is signed by itself',
  certificate_of_unknown_authority:
    'its certificate is of no public authority, perhaps of a proxy, or comes without those between them',
  certificate_expired: 'its certificate has expired, or is not valid yet',
  certificate_of_another_host: 'its certificate is for another host',
  client_certificate_refused: 'it wants a client certificate',
  timeout: 'there is no answer in time',
  no_time_left: 'too little time was left for it, and another try may do',
  redirect_refused: 'it leads elsewhere',
  invalid_response: 'what answers does not speak HTTP',
  too_large: 'it is larger than may be fetched',
};
