import { member } from '../../../../../layers/platform/rules/json/json.ts';
interface Reason {
  readonly text: string;
  /** Advice, where no page of the server has the remedy. */
  readonly advice?: string;
  readonly remedy?: readonly [page: string, label: string];
}

const CREDENTIAL = ['credentials', 'Look at the credential'] as const;
const SETTINGS = ['settings', 'Look at its base URL'] as const;
const NETWORK = ['settings', 'Look at its network'] as const;
const ACCESS = ['access', 'Look at who may use it'] as const;

const LESS = 'Ask for less at once, such as a smaller page or a shorter time.';
const FEWER = 'Make fewer calls in one request.';
const AGAIN = 'Try again a little later.';

const REASONS: Readonly<Record<string, Reason>> = {
  rate_limited: {
    text: 'No requests were left of the plan of whoever called, or of their address.',
  },
  insufficient_scope: {
    text: 'Whoever let the client in has let it read the tools, and not call them.',
    remedy: ACCESS,
  },
  forbidden_origin: {
    text: 'It came from a web page that is not among those that may use the server.',
    remedy: ['access', 'Look at the pages that may use it'],
  },
  unsupported_protocol_version: {
    text: 'The client speaks a version of MCP that this service does not serve.',
    remedy: ['connect', 'Check the connection'],
  },
  invalid_params: { text: 'Arguments were missing or wrong.' },
  invalid_request: { text: 'The request could not be sent as its arguments made it.' },
  blocked_address: {
    text: 'It would have gone to an address that this service calls for nobody.',
    remedy: SETTINGS,
  },
  unknown_network: {
    text: 'The service does not have the private network any more that the API is in.',
    remedy: NETWORK,
  },
  network_busy: {
    text: 'As many calls as the private network takes at once were under way.',
    advice: AGAIN,
  },
  network_unavailable: {
    text: 'The function that makes calls in the private network did not answer: the operator of this service has to look at it.',
  },
  host_not_in_network: {
    text: 'The private network does not have the host in its list: the operator of this service can add it.',
    remedy: NETWORK,
  },
  address_not_in_network: {
    text: 'The API’s name leads to an address outside of the private network: the operator of this service can add it.',
    remedy: NETWORK,
  },
  too_large_for_network: {
    text: 'The call was too large for a private network, which takes 6 MB.',
  },
  credential_not_for_this_host: {
    text: 'The credential is not meant for the host that the call would have gone to.',
    remedy: CREDENTIAL,
  },
  token_endpoint_failed: {
    text: 'The server that gives tokens for the API did not answer, or not with a token.',
  },
  token_refused: {
    text: 'The server that gives tokens for the API refuses the client, its secret or its scopes.',
    remedy: CREDENTIAL,
  },
  token_endpoint_refused: {
    text: 'The server that gives tokens for the API is not where it was when the credential was set.',
    remedy: CREDENTIAL,
  },
  not_encrypted: {
    text: 'It would not have been encrypted, and carries a credential.',
    remedy: SETTINGS,
  },
  dns_failure: { text: 'The name of the API’s host leads nowhere.', remedy: SETTINGS },
  connection_refused: { text: 'Nothing listens at the API’s address.', remedy: SETTINGS },
  connection_failed: { text: 'The connection to the API broke off.', advice: AGAIN },
  tls_failure: { text: 'No secure connection to the API came about.' },
  certificate_self_signed: {
    text: 'The API has signed its certificate itself. If it is the right one, add it in Settings.',
    remedy: SETTINGS,
  },
  certificate_of_unknown_authority: {
    text: 'The API’s certificate is of an authority that is not a public one: add it in Settings. Or the API does not send the certificates between them.',
    remedy: SETTINGS,
  },
  certificate_expired: {
    text: 'The API’s certificate has expired, or is not valid yet: whoever runs the API has to renew it.',
  },
  certificate_of_another_host: {
    text: 'The API’s certificate is for another host name than its base address has.',
    remedy: SETTINGS,
  },
  client_certificate_refused: {
    text: 'The API wants a client certificate that it knows.',
    remedy: CREDENTIAL,
  },
  timeout: {
    text: 'The API did not answer in the time that a call may take, which is 25 seconds at most.',
    advice: `${LESS} Where the limit is shorter than 25 seconds, the operator of this service can raise it.`,
  },
  no_time_left: { text: 'There was no time left to send it.', advice: FEWER },
  batch_timeout: { text: 'Other calls of the same request took too long.', advice: FEWER },
  redirect_refused: { text: 'The API wanted to send it on to another host.', remedy: SETTINGS },
  invalid_response: { text: 'What the API answered is not HTTP.' },
  too_large: { text: 'The answer was too large.', advice: LESS },
  answer_too_large: { text: 'The answer was too large.', advice: LESS },
  answer_cut_timeout: {
    text: 'The API did not finish its answer in time: its beginning was shown.',
    advice: LESS,
  },
  answer_cut_connection: {
    text: 'The connection broke off: the beginning of the answer was shown.',
    advice: AGAIN,
  },
  server_error: {
    text: 'This service could not get the credential, or failed.',
    remedy: CREDENTIAL,
  },
  internal_error: { text: 'This service failed.' },
};

/** @param reason - code in the record of a call */
export const reasonOf = (reason: string): Reason =>
  member(REASONS, reason) ?? { text: reason.replaceAll('_', ' ') };
