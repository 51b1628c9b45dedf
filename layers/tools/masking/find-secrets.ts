import type { CarriedCredential } from '../../target/rules/credential.ts';
import { decodedText, decodeEscapes, isPlain } from './decode-escapes.ts';
import { type SecretForms, secretForms } from './secret-forms.ts';
import { type Automaton, automatonOf, type Pattern, unitMatcher } from './unit-matcher.ts';

/** Position of a secret in a text, in any encoding, sorted by `start`. */
export interface FoundSecret {
  readonly secret: SecretForms;
  readonly start: number;
  readonly end: number;
}

/** Finds secrets of credentials, in time linear in the length of a text, whatever it contains. */
interface SecretFinder {
  readonly inText: (text: string) => readonly FoundSecret[];
  /** @param bytes - as Latin-1, one character per byte */
  readonly inBytes: (bytes: string) => readonly FoundSecret[];
  /** Bytes to drop at the end of a cut body, where a secret may begin: a power of two, to hide its length. */
  readonly endBytes: number;
}

/** Cache node: the finder for a sequence of credentials, which lives as long as they do. */
interface Found {
  finder?: SecretFinder;
  readonly withNext: WeakMap<CarriedCredential, Found>;
}

const nothing: Found = { withNext: new WeakMap() };

/** One finder for all credentials, so that each text is read once. */
export const secretFinder = (credentials: readonly CarriedCredential[]): SecretFinder => {
  let known = nothing;
  for (const credential of credentials) {
    const next = known.withNext.get(credential) ?? { withNext: new WeakMap() };
    known.withNext.set(credential, next);
    known = next;
  }
  known.finder ??= finderOf(credentials.flatMap(secretForms));
  return known.finder;
};

const inOrder = (found: FoundSecret[]): readonly FoundSecret[] =>
  found.sort((one, other) => one.start - other.start || other.end - one.end);

const finderOf = (secrets: readonly SecretForms[]): SecretFinder => {
  const patterns = patternsOf(secrets);
  const marks = secrets.every((secret) => secret.marks)
    ? [...new Set(secrets.flatMap((secret) => secret.marks ?? []))]
    : undefined;
  const breaks = secrets.some((secret) => secret.breaks);
  const longest = Math.max(
    0,
    ...Object.values(patterns).map((one: Patterns['raw']) => one.longest),
  );
  const reach = REACH + REACH_PER_UNIT * longest;
  return {
    endBytes: 2 ** Math.ceil(Math.log2(REACH + END_PER_UNIT * longest)),
    inText: (text) => {
      if (secrets.length === 0) return [];
      const mayHide = !marks || hasEscapedMark(text) || (breaks && hasWrappedBase64(text));
      return find(text, patterns, mayHide ? [[0, text.length]] : placesOf(text, marks, reach));
    },
    inBytes: (bytes) => {
      if (secrets.length === 0) return [];
      // In UTF-16, ASCII characters have zero bytes between them.
      const wide = bytes.includes('\0') ? marks?.map((mark) => [...mark].join('\0')) : [];
      const all = marks && [...marks, ...(wide ?? [])];
      return find(bytes, patterns, all ? placesOf(bytes, all, 2 * reach) : [[0, bytes.length]]);
    },
  };
};

interface Patterns {
  /** Matches the text as it is. */
  readonly raw: Automaton<SecretForms>;
  /** Matches the text with escapes decoded. */
  readonly decoded: Automaton<SecretForms>;
  /** Matches the decoded text without blanks and line breaks. */
  readonly encoded: Automaton<SecretForms>;
}

const patternsOf = (secrets: readonly SecretForms[]): Patterns => {
  const automaton = (sequencesOf: (secret: SecretForms) => readonly string[]) =>
    automatonOf(
      secrets.flatMap((of): readonly Pattern<SecretForms>[] =>
        sequencesOf(of).map((sequence) => ({ of, sequence })),
      ),
    );
  return {
    raw: automaton(({ isBeginning, raw }) => (isBeginning ? [] : [raw])),
    decoded: automaton(({ decoded }) => decoded.map((units) => units.replaceAll('+', ' '))),
    encoded: automaton(({ encoded }) => encoded),
  };
};

/** Distance from its mark at which a secret may end: other characters than letters and digits have long escapes. */
const REACH = 64;

const REACH_PER_UNIT = 16;

/**
 * Bytes for each unit of the longest pattern. That is hexadecimal, with two units for each byte of the secret, which
 * takes up to seven bytes where it is escaped instead.
 */
const END_PER_UNIT = 4;

type Place = readonly [from: number, to: number];

/** Parts of a text around marks. Merged, so that together they are no longer than the text. */
const placesOf = (text: string, marks: readonly string[], reach: number): readonly Place[] => {
  const found: Place[] = [];
  for (const mark of marks) {
    let at = text.indexOf(mark);
    while (at >= 0) {
      // Every secret that begins before this place ends also ends within it.
      found.push([Math.max(0, at - reach), Math.min(text.length, at + 2 * reach)]);
      at = text.indexOf(mark, at + reach);
    }
  }
  return merged(found);
};

const merged = (places: readonly Place[]): readonly Place[] => {
  const all: [number, number][] = [];
  for (const [from, to] of places.toSorted(([one], [other]) => one - other)) {
    const before = all.at(-1);
    if (before && before[1] >= from) before[1] = Math.max(before[1], to);
    else all.push([from, to]);
  }
  return all;
};

/** Limit for secrets in one text, from which on all is masked: listing more would exhaust memory. */
const MOST_FOUND = 1_000_000;

export const find = (
  text: string,
  { raw, decoded, encoded }: Patterns,
  places: readonly Place[],
): readonly FoundSecret[] => {
  const found: FoundSecret[] = [];
  let goesOn: { end: number } | undefined;
  const note = (secret: SecretForms, start: number, end: number): void => {
    if (found.length === MOST_FOUND) return;
    if (secret.isBeginning && DIGIT.test(lastOf(text, start))) return;
    const one = { secret, start, end: found.length === MOST_FOUND - 1 ? text.length : end };
    found.push(one);
    if (secret.isBeginning) goesOn = one;
  };
  for (const [from, to] of places) {
    // Next to a backslash or percent sign of the text, decoding may swallow part of the secret: it is then found raw.
    const matchRaw = unitMatcher(raw, (secret, start, end) => {
      if (
        !isPlain(secret.raw) ||
        !isPlain(text.slice(Math.max(0, start - LONGEST_ESCAPE), start))
      ) {
        note(secret, ...withBackslashes(text, secret, start, end));
      }
    });
    for (let at = from; at < to; at += 1) matchRaw(text.charCodeAt(at), at, at + 1);
    const matchDecoded = unitMatcher(decoded, note);
    const matchEncoded = unitMatcher(encoded, note);
    decodeEscapes(text, from, to, (unit, start, end) => {
      if (unit === 0) return;
      if (goesOn && DIGIT_OR_PADDING.test(String.fromCharCode(unit))) goesOn.end = end;
      else goesOn = undefined;
      matchDecoded(plusAsSpace(unit), start, end);
      if (!isBlank(unit) && !isEscapedBlank(text, unit, start, end)) {
        matchEncoded(standardBase64(unit), start, end);
      }
    });
  }
  return inOrder(found);
};

/** The decoded character before an index, where `%20` is one character. */
const lastOf = (text: string, end: number): string =>
  decodedText(text.slice(Math.max(0, end - LONGEST_ESCAPE), end)).slice(-1);

const LONGEST_ESCAPE = 24;

const DIGIT = /[\w+/-]/;

const DIGIT_OR_PADDING = /[\w+/=-]/;

/** Includes adjacent backslashes: half an escape would make an answer invalid JSON. */
const withBackslashes = (
  text: string,
  { raw }: SecretForms,
  start: number,
  end: number,
): readonly [start: number, end: number] => {
  let [first, last] = [start, end];
  while (text.charAt(first - 1) === '\\') first -= 1;
  while (raw.endsWith('\\') && text.charAt(last) === '\\') last += 1;
  return [first, last];
};

const SPACE = 0x20;

const plusAsSpace = (unit: number): number => (unit === 0x2b ? SPACE : unit);

/** Converts base64url to base64. Source: RFC 4648 §5. */
const standardBase64 = (unit: number): number =>
  unit === 0x2d ? 0x2b : unit === 0x5f ? 0x2f : unit;

const isBlank = (unit: number): boolean =>
  unit === SPACE || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** Whether a decoded letter belongs to an escaped blank: `\n`, `\r` or `\t`. */
const isEscapedBlank = (text: string, unit: number, start: number, end: number): boolean =>
  end - start > 1 &&
  (unit === 0x6e || unit === 0x72 || unit === 0x74) &&
  text.charCodeAt(end - 1) === unit;

/**
 * Escapes of letters, digits or other escapes, which only hidden secrets need. Searching for their first character with
 * `indexOf` is many times faster than a regular expression.
 */
const ESCAPED_MARKS: readonly EscapedMark[] = [
  {
    begins: '\\',
    // `\u` and `\x`.
    mayBe: (next) => next === 0x75 || next === 0x78,
    isMark: /\\(?:u00|x)(?:3\d|[46][1-9a-fA-F]|[57][\daA]|2[35]|5[cC])/y,
  },
  {
    begins: '%',
    // Not `%20` and the like, which are frequent in URLs.
    mayBe: (next, afterNext) =>
      next === 0x32 ? afterNext === 0x33 || afterNext === 0x35 : next !== SPACE,
    isMark: /%(?:25)*(?:3\d|[46][1-9a-fA-F]|[57][\daA]|23[xX]?\d|5[cC][xXuU]|u00)/y,
  },
  {
    begins: '#',
    mayBe: (_next, _afterNext, before) => BEFORE_NUMBER.has(before),
    isMark:
      /#(?:[xX]0*(?:3\d|[46][1-9a-fA-F]|[57][\daA]|2[35]|5[cC])(?:[^\da-fA-F]|$)|0*(?:3[57]|4[89]|5[0-7]|6[5-9]|[78]\d|9[0-27-9]|1[01]\d|12[0-2])(?:\D|$))/y,
  },
];

/** `&`, or the last character of an escaped `&`. */
const BEFORE_NUMBER = new Set([...'&;6bB\\'].map((character) => character.charCodeAt(0)));

interface EscapedMark {
  readonly begins: string;
  /** Whether the pattern can match between these code units; NaN at the ends of the text. */
  readonly mayBe: (next: number, afterNext: number, before: number) => boolean;
  /** Sticky pattern, matched at the first character. */
  readonly isMark: RegExp;
}

const hasEscapedMark = (text: string): boolean =>
  ESCAPED_MARKS.some(({ begins, mayBe, isMark }) =>
    somewhere(text, begins, (at) => {
      const unit = (of: number) => text.charCodeAt(at + of);
      if (!mayBe(unit(1), unit(2), unit(-1))) return false;
      isMark.lastIndex = at;
      return isMark.test(text);
    }),
  );

const LINE_ENDS = ['\n', '\r', '\\', '%', '&#1', 'u000a', 'u000A', 'u000d', 'u000D'];

const BASE64_LINE = /^[A-Za-z0-9+/]{20}$/;

const LINE_LENGTH = 20;

/** Whether a line may be base64 that continues on the next line: a break may then split a mark. */
const hasWrappedBase64 = (text: string): boolean =>
  LINE_ENDS.some((end) =>
    somewhere(
      text,
      end,
      (at) =>
        at >= LINE_LENGTH &&
        isBase64(text.charCodeAt(at - 1)) &&
        isBase64(text.charCodeAt(at - LINE_LENGTH)) &&
        BASE64_LINE.test(text.slice(at - LINE_LENGTH, at)),
    ),
  );

const isBase64 = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x2f && unit <= 0x39) ||
  unit === 0x2b;

const somewhere = (text: string, what: string, holds: (at: number) => boolean): boolean => {
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) {
    if (holds(at)) return true;
  }
  return false;
};
