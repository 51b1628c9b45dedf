import type { CarriedCredential, CarriedKey } from '../../target/rules/credential.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';
import { decodedText } from './decode-escapes.ts';

/** Shorter secrets are masked only where they stand alone, those with fewer than 4 characters never. */
export const SHORTEST_ANYWHERE = 6;
export const SHORTEST = 4;

export interface SecretForms {
  /** Whether the secret is masked only where no letter or digit is beside it. */
  readonly standsAlone: boolean;
  /** Whether only the beginning of a secret is known: all base64 behind it is masked too. */
  readonly isBeginning: boolean;
  /** Names behind which the credential is sent or shown, in lower case without separators. */
  readonly names: readonly string[];
  readonly raw: string;
  /** The secret with its own escapes decoded. */
  readonly decoded: readonly string[];
  /** The secret in base64 at each of three possible offsets, and in hexadecimal. */
  readonly encoded: readonly string[];
  /**
   * Letters and digits, one of which every text with the secret contains, unless it escapes letters or digits;
   * undefined if the secret has too few in a row.
   */
  readonly marks: readonly string[] | undefined;
  /** Whether a form has only one mark, which a line break in base64 could split. */
  readonly breaks: boolean;
}

export const secretForms = (credential: CarriedCredential): readonly SecretForms[] => {
  switch (credential.type) {
    case 'bearer':
      return keyForms(credential.token, ['bearer']);
    case 'api_key':
      return [...keyForms(credential.secret, namesOf(credential)), ...pairIn(credential)];
    case 'hmac':
      return formsOf(credential.secret, ['secret']);
    case 'mutual_tls':
      return pemForms(credential.privateKey, ['privatekey']);
    case 'aws_keys':
      return [
        ...formsOf(credential.secretAccessKey, ['secretaccesskey']),
        ...formsOf(credential.sessionToken, ['xamzsecuritytoken', 'sessiontoken']),
      ];
    case 'basic':
      return pairForms(credential.username, credential.password);
  }
};

const pairForms = (username: string, password: string): readonly SecretForms[] => {
  // Without a real password, the user name is the key.
  const hasPassword = password.length >= SHORTEST_ANYWHERE;
  return [
    ...formsOf(password, ['password', username]),
    ...formsOf(base64(`${username}:${password}`), ['basic']),
    ...(hasPassword ? beginningOf(username) : formsOf(username, ['username'])),
  ];
};

/** Names of a key with its prefix; for an `Authorization` header also the scheme alone, such as `Bearer`. */
const namesOf = ({ in: place, name, prefix }: CarriedKey): readonly string[] => {
  const isScheme = place === 'header' && name.toLowerCase() === 'authorization';
  return [`${name}${prefix}`, ...(isScheme ? [prefix] : [])];
};

/** Forms of user and password in a key that is a Basic credential. Source: RFC 7617 §2. */
const pairIn = ({ prefix, secret }: CarriedKey): readonly SecretForms[] => {
  if (prefix.trim().toLowerCase() !== 'basic') return [];
  const pair = Buffer.from(secret, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? [] : pairForms(pair.slice(0, colon), pair.slice(colon + 1));
};

/** Forms of a key and of its long parts, such as user and secret: an API may repeat one of them alone. */
const keyForms = (secret: string, names: readonly string[]): readonly SecretForms[] => [
  ...formsOf(secret, names),
  ...[...secret.matchAll(PART)]
    .filter(([part]) => part !== secret && isLongPart(part))
    .flatMap(({ 0: part, index }) => {
      const before = secret.slice(0, index);
      return formsOf(
        part,
        names.map((name) => `${name}${before}`),
      );
    }),
];

/** Characters of keys in headers, without the padding of base64. Source: RFC 9110 §11.2, `token68`. */
const PART = /[\p{L}\p{N}._~+/-]+/gu;

/**
 * Whether part of a key has 24 characters, or 8 that cannot be read as words, as random ones mostly cannot: masking
 * words, such as the name of a scheme, user or host, would spoil ordinary answers and let callers guess part by part.
 */
const isLongPart = (part: string): boolean =>
  part.length >= LONGEST_WORD || (part.length >= SHORTEST_PART && !isWords(part));

const SHORTEST_PART = 8;
const LONGEST_WORD = 24;

/** Identifiers of several words count too: `GenieKey`, `monitoring-agent`. */
const isWords = (part: string): boolean =>
  part
    .split(/[._~+/-]|(?<=\p{Ll})(?=\p{Lu})/u)
    .every((word) => word.length >= 2 && /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u.test(word));

/**
 * Forms of a private key in PEM: with any line breaks, the whole file in base64 and hexadecimal (as mounted secrets are
 * written), and its bytes. Source: RFC 7468 §10.
 */
const pemForms = (pem: string, names: readonly string[]): readonly SecretForms[] => {
  const body = PEM_BODY.exec(pem)?.[1]?.replace(/\s/g, '') ?? '';
  if (body.length < SHORTEST_PART) return [];
  const lines = pem.trim().split(/\r?\n/);
  const texts = ['\n', '\r\n'].map((end) => lines.join(end));
  const digits = [trimmedEnd(body, /=/), ...texts.flatMap(base64Forms)];
  const bytes = [Buffer.from(body, 'base64'), ...texts.map((text) => Buffer.from(text, 'utf8'))];
  return [formsWith(body, names, digits, bytes.flatMap(hexForms))];
};

const PEM_BODY = /-----BEGIN (?:[A-Z]{1,9} )?PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END/;

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/**
 * The beginning of `Authorization` for a user, whatever the password: masked by its beginning, it does not tell a
 * caller who guesses whether the rest is right. Source: RFC 7617 §2.
 */
const beginningOf = (username: string): readonly SecretForms[] => {
  const whole = Math.floor((Buffer.byteLength(`${username}:`, 'utf8') * 8) / 6);
  const digits = base64(`${username}:`).slice(0, whole);
  const mark = rarePart(digits);
  if (digits.length < SHORTEST_BEGINNING || mark.length < SHORTEST_MARK) return [];
  const none = { standsAlone: false, names: [], raw: digits, encoded: [], breaks: false };
  return [{ ...none, isBeginning: true, decoded: [digits], marks: [mark] }];
};

/** Fewer base64 digits would occur by coincidence. */
const SHORTEST_BEGINNING = 5;

const formsOf = (secret: string, names: readonly string[]): readonly SecretForms[] =>
  [secret, ...otherWritings(secret)].flatMap((one) => formsOfText(one, names));

/** Other spellings of a UUID or hexadecimal number, which servers may normalize. Source: RFC 9562 §4. */
const otherWritings = (secret: string): readonly string[] => {
  if (!UUID.test(secret) && !DIGITS.test(secret)) return [];
  const digits = secret.replaceAll('-', '').toLowerCase();
  const isId = digits.length === 32;
  const id = [0, 8, 12, 16, 20].map((from, at, all) => digits.slice(from, all[at + 1])).join('-');
  const writings = [digits, ...(isId ? [id] : [])].flatMap((one) => [one, one.toUpperCase()]);
  return [...new Set(writings)].filter((one) => one !== secret);
};

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const DIGITS = /^[\da-f]{16,256}$/i;

const formsOfText = (secret: string, names: readonly string[]): readonly SecretForms[] => {
  if (secret.length < SHORTEST) return [];
  // What is encoded in base64 may be JSON, where the secret is escaped.
  const inner = [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];
  const hex = hexForms(Buffer.from(secret, 'utf8'));
  return [formsWith(secret, names, inner.flatMap(base64Forms), hex)];
};

/** Forms with these parts: `digits` in base64, `hex` in hexadecimal. */
const formsWith = (
  secret: string,
  names: readonly string[],
  digits: readonly string[],
  hex: readonly string[],
): SecretForms => {
  const lines = digits.map(marksInLines);
  const marks = [secret, ...hex, ...lines.flat()].map(rarePart);
  return {
    standsAlone: secret.length < SHORTEST_ANYWHERE,
    isBeginning: false,
    names: names.map(bareName).filter((name) => name !== ''),
    raw: secret,
    decoded: decodedForms(secret),
    encoded: [...digits, ...hex],
    marks: marks.every((mark) => mark.length >= SHORTEST_MARK) ? [...new Set(marks)] : undefined,
    breaks: lines.some(({ length }) => length === 1),
  };
};

export const bareName = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Decoded forms, without backslashes that other escapes take, and without the end, which following text may change. */
const decodedForms = (secret: string): readonly string[] => {
  const decoded = [secret, secret.replaceAll('\\', '')].map(decodedText);
  const closed = decoded.map((text) => text.replace(/(?:\\|%[\da-fA-F]?)$/, ''));
  const all = [...decoded, ...closed.filter(({ length }) => length >= SHORTEST_ANYWHERE)];
  return [...new Set(all)].filter(({ length }) => length >= SHORTEST);
};

/** Base64 digits of a secret at each of three offsets within the encoded bytes. */
const base64Forms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < SHORTEST_ANYWHERE) return [];
  return [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return digits.slice(Math.ceil((before * 8) / 6), whole);
  });
};

const hexForms = (bytes: Buffer): readonly string[] => {
  if (bytes.length < SHORTEST_ANYWHERE) return [];
  const hex = bytes.toString('hex');
  return [...new Set([hex, hex.toUpperCase()])];
};

/** A mark in each half of a line of wrapped base64 where possible: a line break splits one of them at most. */
const marksInLines = (digits: string): readonly string[] => {
  const line = digits.slice(0, SHORTEST_LINE);
  const half = Math.ceil(line.length / 2);
  const halves = [line.slice(0, half), line.slice(half)].map(longestRun);
  return halves.every(({ length }) => length >= SHORTEST_MARK) ? halves : [line];
};

/** Base64 is wrapped at 60, 64 or 76 characters. Source: RFC 2045 §6.8; RFC 7468 §2. */
const SHORTEST_LINE = 60;
const SHORTEST_MARK = 3;
const MARK_CHARACTERS = 6;

const runsOf = (text: string): readonly string[] => text.split(/[^A-Za-z0-9]+/);

const longestRun = (text: string): string =>
  runsOf(text).reduce((one, other) => (other.length > one.length ? other : one));

/** The run of letters and digits with the rarest first character, which `indexOf` finds fastest. */
const rarePart = (text: string): string => {
  const { length } = longestRun(text);
  const most = Math.min(length, MARK_CHARACTERS);
  const parts = runsOf(text).flatMap((run) =>
    Array.from({ length: Math.max(0, run.length - most + 1) }, (_, at) => run.slice(at, at + most)),
  );
  const rank = (part: string) => COMMON_FIRST.indexOf(part.charAt(0));
  return parts.reduce((best, part) => (rank(part) > rank(best) ? part : best), parts[0] ?? '');
};

/** By frequency in JSON, where timestamps end with Z; other characters are rarer. */
const COMMON_FIRST = 'eatinorsdlcupmhg1023456789bfyvwkTZASCIDMPERLNBFOUHGWVKxjqzYJXQ';
