/** Characters that one position matches: a bit for each sample character. */
export type Characters = bigint;

export type Part =
  | { readonly kind: 'start' | 'end' | 'edge' | 'back-reference' }
  | { readonly kind: 'character'; readonly characters: Characters }
  | { readonly kind: 'group' | 'look-around'; readonly alternatives: Alternatives }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number };

export type Alternatives = readonly (readonly Part[])[];

/** ASCII, and one representative for each kind of character beyond it. */
const SAMPLES = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)).concat(
  'é Σ я あ 中 ٣ \u00a0 \u2028 — 😀'.split(' '),
);
export const EVERYTHING: Characters = (1n << BigInt(SAMPLES.length)) - 1n;

/** Source: JSON Schema 2020-12 Core §6.4 (Unicode mode). */
export const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** Removes escapes such as `\_` and `\-`: common, harmless, and invalid in Unicode mode. */
export const withoutNeedlessEscapes = (pattern: string): string => {
  let inClass = false;
  return pattern.replaceAll(/\\([^])|[[\]]/g, (whole, escaped: string | undefined) => {
    if (escaped === undefined) {
      inClass = whole === '[';
      return whole;
    }
    const needed = /[a-zA-Z0-9^$\\.*+?()[\]{}|/]/.test(escaped) || (inClass && escaped === '-');
    return needed ? whole : escaped;
  });
};

/**
 * Parses a regular expression into a tree.
 * @param pattern - valid by `isPattern`
 * @returns undefined for inline flags, which are not supported
 */
export const readPattern = (pattern: string): Alternatives | undefined => {
  const reader = { text: pattern, at: 0 };
  const alternatives = readAlternatives(reader);
  return reader.at === pattern.length ? alternatives : undefined;
};

interface Reader {
  readonly text: string;
  at: number;
}

const readAlternatives = (reader: Reader): Alternatives | undefined => {
  const alternatives: Part[][] = [[]];
  while (reader.at < reader.text.length && reader.text[reader.at] !== ')') {
    if (reader.text[reader.at] === '|') {
      reader.at += 1;
      alternatives.push([]);
      continue;
    }
    const part = readPart(reader);
    const repeated = part && readRepetition(reader, part);
    if (!repeated) return undefined;
    alternatives.at(-1)?.push(repeated);
  }
  return alternatives;
};

const BACK_REFERENCE = /\\(?:[1-9]\d*|k<[^>]*>)/y;
const CHARACTER =
  /\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[^1-9k]|\[(?:\\[^]|[^\]\\])*\]|[^\\[()*+?{|]/uy;

const readPart = (reader: Reader): Part | undefined => {
  const next = reader.text[reader.at];
  if (next === '(') return readGroup(reader);
  if (next === '\\' && taken(reader, BACK_REFERENCE)) return { kind: 'back-reference' };
  const text = taken(reader, CHARACTER)?.[0];
  if (text === undefined) return undefined;
  if (text === '^') return { kind: 'start' };
  if (text === '$') return { kind: 'end' };
  if (text === '\\b' || text === '\\B') return { kind: 'edge' };
  return characterOf(text);
};

const OPENING = /\((?:\?:|(\?<?[=!])|\?<[A-Za-z_$][\w$]*>)?(?!\?)/y;

const readGroup = (reader: Reader): Part | undefined => {
  const opening = taken(reader, OPENING);
  if (!opening) return undefined;
  const kind = opening[1] === undefined ? 'group' : 'look-around';
  const alternatives = readAlternatives(reader);
  if (!alternatives || reader.text[reader.at] !== ')') return undefined;
  reader.at += 1;
  return { kind, alternatives };
};

const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;

const readRepetition = (reader: Reader, part: Part): Part => {
  const found = '*+?{'.includes(reader.text[reader.at] ?? ' ') && taken(reader, QUANTIFIER);
  if (!found) return part;
  const [, sign, from, comma, to] = found;
  if (sign !== undefined) {
    return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
  }
  const min = Number(from);
  const max = comma === undefined ? min : to === '' ? Infinity : Number(to);
  return { kind: 'repeat', part, min, max };
};

const taken = (reader: Reader, expression: RegExp): RegExpExecArray | undefined => {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.text) ?? undefined;
  if (found) reader.at += found[0].length;
  return found;
};

/** Computed lazily: finding the characters is slow, and not every caller needs them. */
const characterOf = (text: string): Part => ({
  kind: 'character',
  get characters() {
    const known = KNOWN.get(text) ?? charactersOf(text);
    if (KNOWN.size < MOST_KNOWN) KNOWN.set(text, known);
    return known;
  },
});

/** Cache of the first classes; most patterns use the same few. */
const KNOWN = new Map<string, Characters>();
const MOST_KNOWN = 1000;

/** Determined with the regular expression engine; a few samples stand for all characters beyond ASCII. */
const charactersOf = (text: string): Characters => {
  const matcher = new RegExp(`^${text}$`, 'u');
  let characters = 0n;
  for (const [index, sample] of SAMPLES.entries()) {
    if (matcher.test(sample)) characters |= 1n << BigInt(index);
  }
  const mayGoBeyond = /[^\0-\x7f]|\\[uxpPc]/.test(text) || characters >> 128n !== 0n;
  return mayGoBeyond ? characters | (EVERYTHING ^ ((1n << 128n) - 1n)) : characters;
};
