/** Challenges, proofs and cookies are between an API and whoever signs in to it: RFC 9110 §11.6 and §11.7, RFC 6265 §4.1. */
const OF_LOGINS =
  /^(?:(?:proxy-)?(?:authenticate|authentication-info|authorization)|www-authenticate|set-cookie2?|cookie|x-auth)$/;

/** Parts of names that tell of a secret; `tokens` are counted. */
const SECRET = /token(?!s)|secret|password|passwd|api-?key|session|credential|csrf|xsrf|jwt/;

/** With which lists are read on. */
const OF_PAGES =
  /(?:continuation|cursor|delta|next|page|paging|prev|previous|resume|start|sync)-?token/;

/** Whether a header of an answer authenticates somebody, or is called so. Lower case. */
export const isSecretHeader = (name: string): boolean =>
  OF_LOGINS.test(name) || (SECRET.test(name) && !OF_PAGES.test(name));
