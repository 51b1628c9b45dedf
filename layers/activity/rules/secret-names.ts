/** Parts of names, without signs between words, by which a secret goes. */
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
/** What is before `token` where it only says where a list goes on. */
const PLACES = /(?:page|next|previous|prev|continuation|sync|resume|cursor|starting)token$/;

export const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  if (SECRET_NAMES.has(plain) || SECRET_PARTS.test(plain)) return true;
  return plain.endsWith('token') && !PLACES.test(plain);
};

/** A part of each name of a secret. */
const NAME_PARTS =
  /passw|passphrase|secret|(?:api|access|private).?key|authorization|cookie|session.?id|bearer|token|auth|pwd|otp|pin|cvv|cvc|jwt|signature/gi;
/** Of names in JSON, of forms with their brackets, and of elements. */
const NAME_LETTER = /[\w.%[\]-]/;

/** Where a name stands that may be that of a secret. */
export interface NamePlace {
  readonly start: number;
  readonly end: number;
}

/**
 * The names in a text that have a part of the name of a secret, from the first to the last. Each is looked at once, however
 * many such parts it has.
 *
 * @param from - what is before this is not looked at; asked before each name
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

/** Whether a text may have the name of a secret: most have none, and are not read any further. */
export const mayName = (text: string): boolean => {
  for (const { start, end } of namesIn(text, () => 0)) {
    if (isSecretName(text.slice(start, end))) return true;
  }
  return false;
};
