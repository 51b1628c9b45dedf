import { jsonText } from '../../platform/rules/json/json.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';
import type { CarriedCredential } from '../../target/rules/credential.ts';
import { decodedText } from './decode-escapes.ts';
import { type FoundSecret, secretFinder } from './find-secrets.ts';
import { bareName, type SecretForms } from './secret-forms.ts';

export interface Masking {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  readonly headers: (headers: Headers) => Headers;
  /** Bytes to drop at the end of a body that is cut: a secret may begin there. */
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
 * Replaces secrets of credentials with `[masked]`, in any encoding and inside base64 or hexadecimal. A value that the
 * caller sent stays, except behind the name under which the credential is sent: otherwise a caller who guesses would
 * see which guess is right.
 * @param sent - arguments of the call, as the caller sent them
 * Source: docs/outgoing-calls.md, "Secrets in answers".
 */
export const maskingOf = (credentials: readonly CarriedCredential[], sent: unknown): Masking => {
  if (credentials.length === 0) return NOTHING_SECRET;
  const { inText, inBytes, endBytes } = secretFinder(credentials);
  // Searched whatever the answer contains, so that the time reveals nothing about the answer.
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

/** Secrets among the caller's arguments: behind the credential's name, or only elsewhere. */
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

/** Pieces are joined in batches: many small strings take more memory than their joined text. */
const MOST_PIECES = 10_000;

const masked = (text: string, found: readonly FoundSecret[], known: KnownSecrets): string => {
  const parts: string[] = [];
  let pieces: string[] = [];
  let end = 0;
  for (const [index, one] of found.entries()) {
    if (one.end <= end || !isToMask(text, one, known)) continue;
    if (one.secret.standsAlone && !standsAlone(text, one, end, found[index + 1])) continue;
    // Overlapping secrets get one mask.
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

const MOST_SEPARATORS = 32;

const ESCAPED_CHARACTERS = 7;

const SEPARATOR = /[^\p{L}\p{N}]/u;

/** Whether a secret stands behind `Bearer` or the name of its header, parameter or cookie. */
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
 * Whether a short secret is a word of its own: within another word it is a coincidence.
 * @param maskedUpTo - end of the last mask
 * @param next - next secret that was found
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
  // Letters of `\n` and similar escapes are blanks.
  !(text.charAt(at - 1) === '\\' && /[bfnrt]/.test(text.charAt(at)));
