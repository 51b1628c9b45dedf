import {
  type Alternatives,
  type Characters,
  EVERYTHING,
  isPattern,
  type Part,
  readPattern,
  withoutNeedlessEscapes,
} from './pattern-tree.ts';

const MAX_PATTERN = 500;
/** Repetitions that may compete for the same characters: two cost at most the square of the input length. */
const MAX_RIVALS = 2;
/** Inside a repetition there may be no ambiguity: two ways per round are 2^n ways. */
const MAX_RIVALS_IN_LOOP = 1;

/**
 * The pattern as a regular expression that a router can run on hostile input of some kilobytes; undefined if it is
 * invalid in JavaScript's `u` mode or could backtrack without bound. The analysis is conservative: refused patterns are
 * described to the model in words.
 * Source: JSON Schema 2020-12 Validation §4.3, §6.3.3.
 */
export const safePattern = (pattern: string): string | undefined => {
  if (pattern.length > MAX_PATTERN || IGNORES_CASE.test(pattern)) return undefined;
  const repaired = withoutNeedlessEscapes(withoutSlashes(pattern));
  if (!isPattern(repaired)) return undefined;
  const isChecked = readPattern(repaired)?.every((sequence) => {
    const start = sequence[0]?.kind === 'start' ? [] : [{ characters: EVERYTHING }];
    return rivalsAfter(sequence, start, MAX_RIVALS) !== undefined;
  });
  return isChecked ? repaired : undefined;
};

export type PatternReader = (pattern: string) => string | undefined;

/** Characters of patterns analyzed in one description: two seconds of work. Later patterns are described in words. */
const MOST_CHARACTERS = 100_000;

export const patternReader = (): PatternReader => {
  const known = new Map<string, string | undefined>();
  let left = MOST_CHARACTERS;
  return (pattern) => {
    if (!known.has(pattern)) {
      left -= Math.min(pattern.length, MAX_PATTERN);
      known.set(pattern, left < 0 ? undefined : safePattern(pattern));
    }
    return known.get(pattern);
  };
};

/** Removes surrounding blanks and the slashes of `/^a$/`: taken literally, they could match nothing. */
const withoutSlashes = (pattern: string): string => {
  const bare = pattern.trim();
  const isFramed = bare.startsWith('^') && bare.endsWith('$');
  return /^\/(\^[^]*\$)\/[gmsuy]*$/.exec(bare)?.[1] ?? (isFramed ? bare : pattern);
};

/** `/^a$/i` cannot be expressed without its flag. */
const IGNORES_CASE = /^\s*\/\^[^]*\$\/[a-z]*i[a-z]*\s*$/;

/** A repetition or choice that could have ended elsewhere, with the characters it matches. */
interface Rival {
  readonly characters: Characters;
}

/** Rivals that may take or give back characters after a sequence; undefined for more than `limit` of them. */
const rivalsAfter = (
  sequence: readonly Part[],
  before: readonly Rival[],
  limit: number,
): readonly Rival[] | undefined =>
  sequence.reduce<readonly Rival[] | undefined>(
    (open, part) => open && rivalsAfterPart(part, open, limit),
    before,
  );

const rivalsAfterPart = (
  part: Part,
  open: readonly Rival[],
  limit: number,
): readonly Rival[] | undefined => {
  switch (part.kind) {
    case 'character':
      return stopping(open, part.characters);
    case 'group':
      return rivalsAfterGroup(part.alternatives, open, limit);
    case 'repeat':
      return rivalsAfterRepeat(part, open, limit);
    case 'look-around':
    case 'back-reference':
      return undefined;
    default:
      return open;
  }
};

const rivalsAfterRepeat = (
  { part: body, min, max }: Extract<Part, { kind: 'repeat' }>,
  open: readonly Rival[],
  limit: number,
): readonly Rival[] | undefined => {
  const taken = reach([[body]]);
  const going = min > 0 ? stopping(open, taken) : open;
  if (body.kind === 'character') return min === max ? going : joined(going, taken, limit);
  if (body.kind !== 'group') return undefined;
  if (max > 1) return isTameLoop(body.alternatives) ? joined(going, taken, limit) : undefined;
  // Its first character decides whether an optional group is present.
  const firsts = body.alternatives.map((sequence) => sequence.slice(0, 1));
  const entry = firsts.every(([first]) => first?.kind === 'character') ? reach(firsts) : taken;
  const inner = rivalsAfterGroup(body.alternatives, open, limit);
  return inner && joined([...new Set([...going, ...inner])], entry, limit);
};

const rivalsAfterGroup = (
  alternatives: Alternatives,
  open: readonly Rival[],
  limit: number,
): readonly Rival[] | undefined => {
  const isToldApart = areDisjoint(alternatives);
  if (!isToldApart && limit === MAX_RIVALS_IN_LOOP) return undefined;
  const start = isToldApart ? open : joined(open, reach(alternatives), limit);
  const ends = start && alternatives.map((sequence) => rivalsAfter(sequence, start, limit));
  return ends?.reduce((all, end) => all && end && [...new Set([...all, ...end])], []);
};

/** Drops rivals that cannot match a character: they must end before it. */
const stopping = (open: readonly Rival[], characters: Characters): readonly Rival[] =>
  open.filter((rival) => (rival.characters & characters) !== 0n);

const joined = (
  open: readonly Rival[],
  characters: Characters,
  limit: number,
): readonly Rival[] | undefined => {
  const all = [...open, { characters }];
  return stopping(all, characters).length > limit ? undefined : all;
};

/**
 * Whether a group can repeat without bound: each round matches in one way only, and its first or last character tells
 * it from the next round.
 */
const isTameLoop = (alternatives: Alternatives): boolean => {
  if (!areDisjoint(alternatives)) return false;
  const firsts = alternatives.map((sequence) => sequence.slice(0, 1));
  const rests = alternatives.map((sequence) => sequence.slice(1));
  const begin =
    firsts.every(([first]) => first?.kind === 'character') && isReadOneWay(rests, reach(firsts));
  if (begin || alternatives.every(isFixed)) return true;
  const [sequence = []] = alternatives;
  const last = sequence.at(-1);
  return (
    alternatives.length === 1 &&
    last?.kind === 'character' &&
    isReadOneWay([sequence.slice(0, -1)], last.characters)
  );
};

const isReadOneWay = (sequences: Alternatives, without: Characters): boolean =>
  (reach(sequences) & without) === 0n &&
  sequences.every((sequence) => rivalsAfter(sequence, [], MAX_RIVALS_IN_LOOP) !== undefined);

/** Whether the first position at which two alternatives differ separates them. */
const areDisjoint = (alternatives: Alternatives): boolean =>
  alternatives.every((one, index) =>
    alternatives.slice(index + 1).every((other) => differ(one, other)),
  );

const differ = (one: readonly Part[], other: readonly Part[]): boolean => {
  for (const [index, part] of one.entries()) {
    const counterpart = other[index];
    if (part.kind !== 'character' || counterpart?.kind !== 'character') return false;
    if ((part.characters & counterpart.characters) === 0n) return true;
  }
  return false;
};

/** Whether a sequence has a fixed length and a single way to match. */
const isFixed = (sequence: readonly Part[]): boolean =>
  sequence.length > 0 &&
  sequence.every(
    (part) =>
      part.kind === 'character' ||
      (part.kind === 'repeat' &&
        part.min === part.max &&
        part.min > 0 &&
        part.part.kind === 'character'),
  );

const reach = (alternatives: Alternatives): Characters =>
  alternatives.flat().reduce<Characters>((sum, part) => {
    if (part.kind === 'character') return sum | part.characters;
    if (part.kind === 'group') return sum | reach(part.alternatives);
    return part.kind === 'repeat' ? sum | reach([[part.part]]) : sum;
  }, 0n);
