import {
  type Alternatives,
  type Characters,
  EVERYTHING,
  isPattern,
  type Part,
  readPattern,
  withoutNeedlessEscapes,
} from './pattern-tree.ts';

/** Longer ones are not worth the time of looking at them. */
const MAX_PATTERN = 500;
/** How many repetitions may fight for the same characters: two cost at most the square of the input. */
const MAX_RIVALS = 2;
/** Within a repetition there must be one way only: two ways a round are 2^n ways. */
const MAX_RIVALS_IN_LOOP = 1;

/**
 * The pattern as a regular expression that a router may run on hostile input of some kilobytes, or
 * undefined if it is not one: what JavaScript's `u` flag refuses, and what could backtrack without
 * bound. The check errs on the safe side; what it refuses is described to the model in words instead.
 *
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

/**
 * Characters of all different patterns of a description that are looked at, at most two seconds of work: the same
 * pattern counts once. Those beyond are described in words.
 */
const MOST_CHARACTERS = 100_000;

/** The same, for descriptions that have a pattern in many places. */
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

/** `/^a$/` is how programs write `^a$`, and blanks may stand around; by the letter it could match nothing. */
const withoutSlashes = (pattern: string): string => {
  const bare = pattern.trim();
  const isFramed = bare.startsWith('^') && bare.endsWith('$');
  return /^\/(\^[^]*\$)\/[gmsuy]*$/.exec(bare)?.[1] ?? (isFramed ? bare : pattern);
};

/** What `/^a$/i` allows cannot be said without its flag. */
const IGNORES_CASE = /^\s*\/\^[^]*\$\/[a-z]*i[a-z]*\s*$/;

/** A repetition or choice that could still have ended elsewhere, and the characters it takes. */
interface Rival {
  readonly characters: Characters;
}

/**
 * Who may still take or give back characters after this sequence.
 *
 * @returns undefined if more than `limit` of them can fight for the same characters
 */
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
  // Whether an optional group is there is decided by its first character.
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

/** A character that a repetition before it cannot take is where that one has to end. */
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
 * Whether this can be repeated without end: each round must be told from the next by its first or
 * its last character, and there must be one way only to read a round.
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

/** Whether the first place at which any two alternatives differ tells them apart. */
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

/** Single characters only: one length, one way to match. */
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

/** Every character that can occur in what these match. */
const reach = (alternatives: Alternatives): Characters =>
  alternatives.flat().reduce<Characters>((sum, part) => {
    if (part.kind === 'character') return sum | part.characters;
    if (part.kind === 'group') return sum | reach(part.alternatives);
    return part.kind === 'repeat' ? sum | reach([[part.part]]) : sum;
  }, 0n);
