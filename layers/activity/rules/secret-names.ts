/** Substrings of secrets' names, without separators. */
const SECRET_PARTS =
  /password|passwd|passphrase|secret|apikey|accesskey|privatekey|authorization|cookie|sessionid|bearer/;
const SECRET_NAMES = new Set([
  'auth',
  'pwd',
  'otp',
  'totp',
  'pin',
  'cvv',
  'cvc',
  'jwt',
  'signature',
]);
/** Pagination tokens, which are no secrets. */
const PLACES = /(?:page|next|previous|prev|continuation|sync|resume|cursor|starting)token$/;

export const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  if (SECRET_NAMES.has(plain) || SECRET_PARTS.test(plain)) return true;
  return plain.endsWith('token') && !PLACES.test(plain);
};

/** Finds candidates for names of secrets, in any spelling. */
const NAME_PARTS =
  /passw|passphrase|secret|(?:api|access|private).?key|authorization|cookie|session.?id|bearer|token|auth|pwd|otp|pin|cvv|cvc|jwt|signature/gi;
/** Characters of names in JSON, XML, and forms with brackets. */
const NAME_LETTER = /[\w.%[\]-]/;

/** Range of a name that may be a secret's. */
export interface NamePlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Candidates for names of secrets, in order. Each name comes once, however many substrings match.
 * @param from - skips names before this position; asked again for each name
 */
export function* namesIn(text: string, from: () => number): Generator<NamePlace> {
  let end = 0;
  for (const { index: at, 0: part } of text.matchAll(NAME_PARTS)) {
    const least = Math.max(end, from());
    if (at < least) continue;
    let start = at;
    while (start > least && NAME_LETTER.test(text.charAt(start - 1))) start -= 1;
    end = at + part.length;
    while (end < text.length && NAME_LETTER.test(text.charAt(end))) end += 1;
    yield { start, end };
  }
}

/** Cheap test that spares most texts the search. */
export const mayName = (text: string): boolean => {
  for (const { start, end } of namesIn(text, () => 0)) {
    if (isSecretName(text.slice(start, end))) return true;
  }
  return false;
};
