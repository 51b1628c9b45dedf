/**
 * Challenges, proofs and cookies are between an API and whoever signs in to it, also under the names that gateways and
 * proxies move them to: `x-amzn-remapped-www-authenticate`, `x-forwarded-authorization`.
 *
 * Source: RFC 9110 §11.6, §11.7; RFC 6265 §4.1; Amazon API Gateway developer guide, "Important notes for API Gateway".
 */
const OF_LOGINS =
  /(?:^|[-_])(?:authenticate|authentication|authorization|cookie2?|bearer)(?:[-_]|$)|^x-auth$/;

/** Parts of names that tell of a secret; `tokens` are counted. */
const SECRET =
  /token(?!s)|secret|password|passwd|passphrase|session|credential|csrf|xsrf|jwt|(?:api|access|app|auth|functions?|private|shared|signing|subscription)[-_]?key/;

/** With which lists are read on, and how many a model was given. */
const NO_SECRET =
  /(?:continuation|cursor|delta|next|page|paging|prev|previous|resume|start|sync)[-_]?token(?!s)|token[-_](?:count|limit|remaining|usage|used)(?![a-z])/g;

/** Whether a header of an answer authenticates somebody, or is called so. Lower case. */
export const isSecretHeader = (name: string): boolean =>
  OF_LOGINS.test(name) || SECRET.test(name.replaceAll(NO_SECRET, ''));
