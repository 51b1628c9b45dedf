/** The characters that one place matches, as a bit per sample character. */
export type Characters = bigint;

export type Part =
  | { readonly kind: 'start' | 'end' | 'edge' }
  | { readonly kind: 'one'; readonly characters: Characters }
  | { readonly kind: 'group'; readonly alternatives: Alternatives }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number };

export type Alternatives = readonly (readonly Part[])[];

/** ASCII, and one stand-in for each kind of character beyond it. */
const SAMPLES = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)).concat(
  'é Σ я あ 中 ٣ \u00a0 \u2028 — 😀'.split(' '),
);
export const EVERYTHING: Characters = (1n << BigInt(SAMPLES.length)) - 1n;

/**
 * A regular expression as a tree of its parts.
 *
 * @param pattern - one that compiles with the `u` flag
 * @returns undefined for what is not modelled: look-arounds, back references, inline flags
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

const ATOM =
  /\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[^1-9k]|\[(?:\\[^]|[^\]\\])*\]|[^\\[()*+?{|]/uy;

const readPart = (reader: Reader): Part | undefined => {
  if (reader.text[reader.at] === '(') return readGroup(reader);
  ATOM.lastIndex = reader.at;
  const atom = ATOM.exec(reader.text)?.[0];
  if (atom === undefined) return undefined;
  reader.at += atom.length;
  if (atom === '^') return { kind: 'start' };
  if (atom === '$') return { kind: 'end' };
  if (atom === '\\b' || atom === '\\B') return { kind: 'edge' };
  return { kind: 'one', characters: charactersOf(atom) };
};

const readGroup = (reader: Reader): Part | undefined => {
  const opening = /\((?:\?:|\?<[A-Za-z_$][\w$]*>)?(?!\?)/y;
  opening.lastIndex = reader.at;
  const found = opening.exec(reader.text);
  if (!found) return undefined;
  reader.at += found[0].length;
  const alternatives = readAlternatives(reader);
  if (!alternatives || reader.text[reader.at] !== ')') return undefined;
  reader.at += 1;
  return { kind: 'group', alternatives };
};

const readRepetition = (reader: Reader, part: Part): Part | undefined => {
  const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
  quantifier.lastIndex = reader.at;
  const found = quantifier.exec(reader.text);
  if (!found) return part;
  reader.at += found[0].length;
  const [, sign, from, comma, to] = found;
  if (sign !== undefined) {
    return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
  }
  const min = Number(from);
  const max = comma === undefined ? min : to === '' ? Infinity : Number(to);
  return { kind: 'repeat', part, min, max };
};

/** Asked of the engine itself; beyond ASCII samples stand for the rest, so take all of it or none. */
const charactersOf = (atom: string): Characters => {
  const matcher = new RegExp(`^${atom}$`, 'u');
  let characters = 0n;
  for (const [index, sample] of SAMPLES.entries()) {
    if (matcher.test(sample)) characters |= 1n << BigInt(index);
  }
  const mayGoBeyond = /[^\0-\x7f]|\\[uxpPc]/.test(atom) || characters >> 128n !== 0n;
  return mayGoBeyond ? characters | (EVERYTHING ^ ((1n << 128n) - 1n)) : characters;
};
