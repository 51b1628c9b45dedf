/**
 * Headers with challenges, proofs and cookies, also as gateways and proxies rename them:
 * `x-amzn-remapped-www-authenticate`, `x-forwarded-authorization`.
 * Source: RFC 9110 §11.6, §11.7; RFC 6265 §4.1; Amazon API Gateway developer guide, "Important notes for API Gateway".
 */
const OF_LOGINS =
  /(?:^|[-_])(?:authenticate|authentication|authorization|cookie2?|bearer)(?:[-_]|$)|^x-auth$/;

/** Parts of names of secret headers; the plural `tokens` is a count. */
const SECRET =
  /token(?!s)|secret|password|passwd|passphrase|session|credential|csrf|xsrf|jwt|(?:api|access|app|auth|functions?|private|shared|signing|subscription)[-_]?key/;

/** Tokens that are no secrets: for paging, and counts of a model's tokens. */
const NO_SECRET =
  /(?:continuation|cursor|delta|next|page|paging|prev|previous|resume|start|sync)[-_]?token(?!s)|token[-_](?:count|limit|remaining|usage|used)(?![a-z])/g;

/** Whether a response header authenticates somebody, by its lower-case name. */
export const isSecretHeader = (name: string): boolean =>
  OF_LOGINS.test(name) || SECRET.test(name.replaceAll(NO_SECRET, ''));
