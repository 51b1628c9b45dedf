import {
  type Alternatives,
  isPattern,
  type Part,
  readPattern,
  withoutNeedlessEscapes,
} from './pattern-tree.ts';

/** Steps that matching one text may take, about half a millisecond. */
const MOST_STEPS = 100_000;
const LONGEST_PATTERN = 1000;

/** What a pattern takes to run: a form that is safe on any text. */
export interface BoundedPattern {
  /** Matches what the pattern matches, and every text too long to be tried. */
  readonly source: string;
  /** Whether trying it costs no more than reading the text. */
  readonly linear: boolean;
}

const GUARD = /^\^\[\\s\\S\]\{\d+\}\|\(\?:(.*)\)$/s;

/**
 * A pattern of a description, made safe to run: it can come from anyone, and a backtracking engine
 * takes exponential time on some. Repetitions of something that itself varies are not run at all;
 * others only on texts so short that the work stays within a bound. What is not checked here, the
 * target API checks.
 *
 * @returns `undefined` for a pattern that cannot be run safely or is none
 */
export const boundedPattern = (source: string): BoundedPattern | undefined => {
  if (source.length > LONGEST_PATTERN) return undefined;
  const pattern = isPattern(source) ? source : withoutNeedlessEscapes(source);
  const work = isPattern(pattern) ? workOf(readPattern(pattern)) : undefined;
  if (!work || work.choices > MOST_STEPS) return undefined;
  const longest = Math.floor((MOST_STEPS / work.choices) ** (1 / Math.max(work.unbounded, 1)));
  return {
    source: `^[\\s\\S]{${longest + 1}}|(?:${pattern})`,
    linear: work.unbounded <= 1 && work.choices <= 16,
  };
};

/** Patterns of names that are tried on each name; a schema with more of them is not checked. */
const MOST_NAME_PATTERNS = 20;

/**
 * The patterns of `patternProperties` in their safe forms.
 *
 * @returns `undefined` where one of them cannot be run, so that nothing is known of names that the others
 *   do not match
 */
export const namePatterns = (
  patterns: Readonly<Record<string, unknown>>,
): readonly (readonly [source: string, schema: unknown])[] | undefined => {
  const entries = Object.entries(patterns);
  if (entries.length > MOST_NAME_PATTERNS) return undefined;
  const bounded = entries.flatMap(([pattern, schema]) => {
    const safe = boundedPattern(pattern);
    return safe?.linear ? [[safe.source, schema] as const] : [];
  });
  return bounded.length === entries.length ? bounded : undefined;
};

/** The pattern inside a bounded one, to be shown. */
export const patternWithin = (source: string): string => GUARD.exec(source)?.[1] ?? source;

interface Work {
  /** Product of the ways that bounded repetitions can go. */
  choices: number;
  /** Repetitions without an upper bound, and the search for a place to start. */
  unbounded: number;
}

/** How much work a pattern can make, or `undefined` where that cannot be bounded. */
const workOf = (alternatives: Alternatives | undefined): Work | undefined => {
  if (!alternatives) return undefined;
  const [first = []] = alternatives;
  const isAnchored = alternatives.length === 1 && first[0]?.kind === 'start';
  const work: Work = { choices: 1, unbounded: isAnchored ? 0 : 1 };
  return alternatives.flat().every((part) => addWork(work, part)) ? work : undefined;
};

/** @returns whether the work of this part is bounded */
const addWork = (work: Work, part: Part): boolean => {
  if (part.kind === 'back-reference') return false;
  if (part.kind === 'group' || part.kind === 'look-around') {
    return part.alternatives.flat().every((inside) => addWork(work, inside));
  }
  if (part.kind !== 'repeat') return true;
  if (part.max > 1 && varies(part.part)) return false;
  if (part.max === Infinity) work.unbounded += 1;
  else work.choices *= part.max - part.min + 1;
  return addWork(work, part.part);
};

/** Whether this can match in more than one way. */
const varies = (part: Part): boolean => {
  if (part.kind === 'repeat') return part.min !== part.max || varies(part.part);
  if (part.kind !== 'group' && part.kind !== 'look-around') return false;
  return part.alternatives.length > 1 || part.alternatives.flat().some(varies);
};
