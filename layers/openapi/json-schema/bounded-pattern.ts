import {
  type Alternatives,
  isPattern,
  type Part,
  readPattern,
  withoutNeedlessEscapes,
} from './pattern-tree.ts';

/** Steps for matching one text, about half a millisecond. */
const MOST_STEPS = 100_000;
const LONGEST_PATTERN = 1000;

export interface BoundedPattern {
  /** Matches what the original matches, and any text that is too long to try. */
  readonly source: string;
  readonly linear: boolean;
}

const GUARD = /^\^\[\\s\\S\]\{\d+\}\|\(\?:(.*)\)$/s;

/**
 * Makes a pattern of unknown origin safe, since a backtracking engine takes exponential time on some. Repetitions of
 * varying parts are not run at all, others only on texts short enough to bound the work. The target API checks the
 * rest.
 * @returns undefined for an invalid pattern, or one that cannot be run safely
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

/** Schemas with more patterns for property names are not checked. */
const MOST_NAME_PATTERNS = 20;

/** Safe forms of `patternProperties`; undefined where one cannot be run, so that other names are unknown. */
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

export const patternWithin = (source: string): string => GUARD.exec(source)?.[1] ?? source;

interface Work {
  /** Product of the counts that bounded repetitions can have. */
  choices: number;
  /** Unbounded repetitions, including the search for a starting point. */
  unbounded: number;
}

const workOf = (alternatives: Alternatives | undefined): Work | undefined => {
  if (!alternatives) return undefined;
  const [first = []] = alternatives;
  const isAnchored = alternatives.length === 1 && first[0]?.kind === 'start';
  const work: Work = { choices: 1, unbounded: isAnchored ? 0 : 1 };
  return alternatives.flat().every((part) => addWork(work, part)) ? work : undefined;
};

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

const varies = (part: Part): boolean => {
  if (part.kind === 'repeat') return part.min !== part.max || varies(part.part);
  if (part.kind !== 'group' && part.kind !== 'look-around') return false;
  return part.alternatives.length > 1 || part.alternatives.flat().some(varies);
};
