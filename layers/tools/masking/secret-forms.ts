import type { CarriedCredential } from '../../target/rules/credential.ts';
import { decodedText } from './decode-escapes.ts';

/** Shorter secrets are masked only where they stand alone; shorter than that, never: they are everywhere. */
export const SHORTEST_ANYWHERE = 6;
export const SHORTEST = 4;

/** How a secret of a credential may stand in a text. */
export interface SecretForms {
  /** Short secrets are masked only where no letter or digit is beside them. */
  readonly standsAlone: boolean;
  /** Whether it is what a longer one begins with: all base64 behind it belongs to it. */
  readonly isBeginning: boolean;
  /** What it stands behind where the credential itself is sent or shown, lower case and without separators. */
  readonly names: readonly string[];
  readonly raw: string;
  /** With every escape undone, which it may have in itself. */
  readonly decoded: readonly string[];
  /** In base64, standard alphabet, at each place it can have within encoded bytes; and in hexadecimal. */
  readonly encoded: readonly string[];
  /**
   * Letters and digits of which one stands in every text that has the secret in any form without an escaped letter or
   * digit; none where there are too few of them side by side.
   */
  readonly marks: readonly string[] | undefined;
  /** Whether the end of a line of base64 may break the one mark that a form has. */
  readonly breaks: boolean;
}

/** The forms of all that is secret in a credential. */
export const secretForms = (credential: CarriedCredential): readonly SecretForms[] => {
  switch (credential.type) {
    case 'bearer':
      return formsOf(credential.token, ['bearer']);
    case 'api_key':
      return formsOf(credential.value, [credential.name]);
    case 'hmac':
      return formsOf(credential.secret, ['secret']);
    // It is never in a request, and an answer that has it has it whole.
    case 'mutual_tls':
      return formsOf(keyText(credential.privateKey), ['privatekey']);
    case 'aws_keys':
      return [
        ...formsOf(credential.secretAccessKey, ['secretaccesskey']),
        ...formsOf(credential.sessionToken, ['xamzsecuritytoken', 'sessiontoken']),
      ];
    case 'basic': {
      const { username, password } = credential;
      // Where there is no real password, the user name is the key.
      const hasPassword = password.length >= SHORTEST_ANYWHERE;
      return [
        ...formsOf(password, ['password', username]),
        ...formsOf(base64(`${username}:${password}`), ['basic']),
        ...(hasPassword ? beginningOf(username) : formsOf(username, ['username'])),
      ];
    }
  }
};

/** The first line of what is secret in a key in PEM. */
const keyText = (pem: string): string =>
  pem.split(/\r?\n/).find((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line)) ?? '';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/**
 * What every `Authorization` of a user begins with, whatever the password: to mask it by its beginning tells nobody
 * who guesses whether the rest is right. Source: RFC 7617 §2.
 */
const beginningOf = (username: string): readonly SecretForms[] => {
  const whole = Math.floor((Buffer.byteLength(`${username}:`, 'utf8') * 8) / 6);
  const digits = base64(`${username}:`).slice(0, whole);
  const mark = rarePart(digits);
  if (digits.length < SHORTEST_BEGINNING || mark.length < SHORTEST_MARK) return [];
  const none = { standsAlone: false, names: [], raw: digits, encoded: [], breaks: false };
  return [{ ...none, isBeginning: true, decoded: [digits], marks: [mark] }];
};

/** Less is too little to be the beginning of nothing else. */
const SHORTEST_BEGINNING = 5;

const formsOf = (secret: string, names: readonly string[]): readonly SecretForms[] => {
  if (secret.length < SHORTEST) return [];
  // Base64 may be of JSON.
  const inner = [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];
  const digits = inner.flatMap(base64Forms);
  const hex = hexForms(secret);
  const lines = digits.map(marksInLines);
  const marks = [secret, ...hex, ...lines.flat()].map(rarePart);
  const forms: SecretForms = {
    standsAlone: secret.length < SHORTEST_ANYWHERE,
    isBeginning: false,
    names: names.map(bareName).filter((name) => name !== ''),
    raw: secret,
    decoded: decodedForms(secret),
    encoded: [...digits, ...hex],
    marks: marks.every((mark) => mark.length >= SHORTEST_MARK) ? [...new Set(marks)] : undefined,
    breaks: lines.some(({ length }) => length === 1),
  };
  return [forms];
};

export const bareName = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/**
 * A backslash of its own is lost where the next character is escaped by another one. And the end of a secret can make
 * an escape with what follows it.
 */
const decodedForms = (secret: string): readonly string[] => {
  const decoded = [secret, secret.replaceAll('\\', '')].map(decodedText);
  const closed = decoded.map((text) => text.replace(/(?:\\|%[\da-fA-F]?)$/, ''));
  const all = [...decoded, ...closed.filter(({ length }) => length >= SHORTEST_ANYWHERE)];
  return [...new Set(all)].filter(({ length }) => length >= SHORTEST);
};

/** The digits that a secret makes at each of the three places it can have within encoded bytes. */
const base64Forms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < SHORTEST_ANYWHERE) return [];
  return [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return digits.slice(Math.ceil((before * 8) / 6), whole);
  });
};

const hexForms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < SHORTEST_ANYWHERE) return [];
  const hex = bytes.toString('hex');
  return [...new Set([hex, hex.toUpperCase()])];
};

/** Two where it has them: of one line of wrapped base64, so that its end breaks one of them at most. */
const marksInLines = (digits: string): readonly string[] => {
  const line = digits.slice(0, SHORTEST_LINE);
  const half = Math.ceil(line.length / 2);
  const halves = [line.slice(0, half), line.slice(half)].map(longestRun);
  return halves.every(({ length }) => length >= SHORTEST_MARK) ? halves : [line];
};

/** Lines of base64 are wrapped at 60, 64 or 76 characters. Source: RFC 2045 §6.8; RFC 7468 §2. */
const SHORTEST_LINE = 60;
const SHORTEST_MARK = 3;
const MARK_CHARACTERS = 6;

const runsOf = (text: string): readonly string[] => text.split(/[^A-Za-z0-9]+/);

const longestRun = (text: string): string =>
  runsOf(text).reduce((one, other) => (other.length > one.length ? other : one));

/**
 * Of the letters and digits side by side in a text those that are found fastest: what is looked for by its first
 * character is, the rarer that is.
 */
const rarePart = (text: string): string => {
  const { length } = longestRun(text);
  const most = Math.min(length, MARK_CHARACTERS);
  const parts = runsOf(text).flatMap((run) =>
    Array.from({ length: Math.max(0, run.length - most + 1) }, (_, at) => run.slice(at, at + most)),
  );
  const rank = (part: string) => COMMON_FIRST.indexOf(part.charAt(0));
  return parts.reduce((best, part) => (rank(part) > rank(best) ? part : best), parts[0] ?? '');
};

/** As they are in JSON, whose times end with a Z; other letters and digits are rarer still. */
const COMMON_FIRST = 'eatinorsdlcupmhg1023456789bfyvwkTZASCIDMPERLNBFOUHGWVKxjqzYJXQ';
