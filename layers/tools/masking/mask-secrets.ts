import { jsonText } from '../../platform/rules/json/json.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';
import type { CarriedCredential } from '../../target/rules/credential.ts';
import { decodedText } from './decode-escapes.ts';
import { type FoundSecret, secretFinder } from './find-secrets.ts';
import { bareName, type SecretForms } from './secret-forms.ts';

/** Takes the secrets of a call's credentials out of what a target API answered to it. */
export interface Masking {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  readonly headers: (headers: Headers) => Headers;
  /** Of a body that is cut, what is left out at its end, whatever it holds: a secret may begin there. */
  readonly endBytes: number;
}

type Headers = Readonly<Record<string, string>>;

export const MASK = '[masked]';

const NOTHING_SECRET: Masking = {
  text: (text) => text,
  bytes: (bytes) => bytes,
  headers: (headers) => headers,
  endBytes: 0,
};

/**
 * Puts `[masked]` where a text has a secret of a credential, however each of its characters is written, alone or
 * as base64 or hexadecimal within more. What the caller himself has sent stays as it is, except behind the name
 * that the credential is sent under: whoever guesses would otherwise see which guess is right.
 *
 * @param sent - the arguments of the call, as the caller sent them
 *
 * Source: docs/outgoing-calls.md, "Secrets in answers".
 */
export const maskingOf = (credentials: readonly CarriedCredential[], sent: unknown): Masking => {
  if (credentials.length === 0) return NOTHING_SECRET;
  const { inText, inBytes, endBytes } = secretFinder(credentials);
  // Looked for whatever the answer holds, so that the time it takes says nothing of it.
  const known = knownSecrets(sent === undefined ? '' : jsonText(sent), inText);
  const maskText = (text: string): string => masked(text, inText(text), known);
  return {
    text: maskText,
    bytes: (bytes) => {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      const without = masked(text, inBytes(text), known);
      return without === text ? bytes : Buffer.from(without, 'latin1');
    },
    headers: (headers) => {
      const pairs = Object.entries(headers);
      if (inText(pairs.flat().join('\n')).length === 0) return headers;
      return Object.fromEntries(pairs.map(([name, value]) => [maskText(name), maskText(value)]));
    },
    endBytes,
  };
};

/** The secrets that the caller has sent: behind the name of the credential, or only elsewhere. */
type KnownSecrets = ReadonlyMap<SecretForms, 'named' | 'elsewhere'>;

const knownSecrets = (
  sent: string,
  find: (text: string) => readonly FoundSecret[],
): KnownSecrets => {
  const known = new Map<SecretForms, 'named' | 'elsewhere'>();
  for (const one of find(sent)) {
    if (one.secret.isBeginning || known.get(one.secret) === 'named') continue;
    known.set(one.secret, isNamed(sent, one) ? 'named' : 'elsewhere');
  }
  return known;
};

/** Many small texts take more memory than what they are put together to. */
const MOST_PIECES = 10_000;

const masked = (text: string, found: readonly FoundSecret[], known: KnownSecrets): string => {
  const parts: string[] = [];
  let pieces: string[] = [];
  let end = 0;
  for (const [index, one] of found.entries()) {
    if (one.end <= end || !isToMask(text, one, known)) continue;
    if (one.secret.standsAlone && !standsAlone(text, one, end, found[index + 1])) continue;
    // What overlaps is one.
    if (one.start >= end) pieces.push(text.slice(end, one.start), MASK);
    end = one.end;
    if (pieces.length > MOST_PIECES) {
      parts.push(pieces.join(''));
      pieces = [];
    }
  }
  return end === 0 ? text : [...parts, ...pieces, text.slice(end)].join('');
};

const isToMask = (text: string, found: FoundSecret, known: KnownSecrets): boolean => {
  const sent = known.get(found.secret);
  return sent === undefined || (sent === 'elsewhere' && isNamed(text, found));
};

/** Characters between a name and the credential behind it. */
const MOST_SEPARATORS = 32;

/** Of one character that is escaped. */
const ESCAPED_CHARACTERS = 7;

const SEPARATOR = /[^\p{L}\p{N}]/u;

/** Whether it stands where a credential does: behind `Bearer`, or the name of its header, parameter or cookie. */
const isNamed = (text: string, { start, secret: { names } }: FoundSecret): boolean => {
  const longest = names.reduce((most, { length }) => Math.max(most, length), 0);
  const reach = ESCAPED_CHARACTERS * longest + 2 * MOST_SEPARATORS;
  const before = decodedText(text.slice(Math.max(0, start - reach), start));
  const named = trimmedEnd(before, SEPARATOR);
  if (before.length - named.length > MOST_SEPARATORS) return false;
  const name = bareName(named);
  return names.some((one) => name.endsWith(one));
};

/**
 * Whether a short secret is a word of its own; it may be anything within another one.
 *
 * @param maskedUpTo - where the last mask ended
 * @param next - that was found
 */
const standsAlone = (
  text: string,
  { start, end }: FoundSecret,
  maskedUpTo: number,
  next: FoundSecret | undefined,
): boolean =>
  (start === maskedUpTo || !isLetter(text, start - 1)) &&
  (end === next?.start || !isLetter(text, end));

const isLetter = (text: string, at: number): boolean =>
  /[\p{L}\p{N}]/u.test(text.charAt(at)) &&
  // `\n` and the like are blanks.
  !(text.charAt(at - 1) === '\\' && /[bfnrt]/.test(text.charAt(at)));
