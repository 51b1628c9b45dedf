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
  const pattern = compiling(source);
  if (pattern === undefined) return undefined;
  const work = workOf(pattern);
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

/** The pattern in a form that compiles in Unicode mode, which knows no needless escapes such as `\_`. */
const compiling = (source: string): string | undefined =>
  [source, source.replace(/\\([^\w^$\\.*+?()[\]{}|/-]|_)/g, '$1')].find(compiles);

const compiles = (source: string): boolean => {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

interface Work {
  /** Product of the ways that bounded repetitions can go. */
  choices: number;
  /** Repetitions without an upper bound, and the search for a place to start. */
  unbounded: number;
}

const TOKEN =
  /\\(?:[1-9]|k<)|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]+>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;

/** How much work a compiling pattern can make, or `undefined` where that cannot be bounded. */
const workOf = (pattern: string): Work | undefined => {
  const work: Work = { choices: 1, unbounded: 0 };
  let anchored = pattern.startsWith('^');
  // Whether the group at hand, and those around it, can match in more than one way.
  const groups: boolean[] = [false];
  let lastVaries = false;

  for (const [token] of pattern.matchAll(TOKEN)) {
    const times = repetition(token);
    if (/^\\(?:[1-9]|k<)/.test(token)) return undefined;
    if (token.startsWith('(')) groups.push(false);
    else if (token === '|') {
      groups[groups.length - 1] = true;
      if (groups.length === 1) anchored = false;
    } else if (token === ')') lastVaries = groups.pop() ?? false;
    else if (times) {
      if (lastVaries && times.most > 1) return undefined;
      if (times.most === Infinity) work.unbounded += 1;
      else work.choices *= times.most - times.least + 1;
      if (times.most !== times.least) lastVaries = true;
    } else lastVaries = false;
    if (token === ')' || times) groups[groups.length - 1] ||= lastVaries;
  }
  if (!anchored) work.unbounded += 1;
  return work;
};

const repetition = (token: string): { least: number; most: number } | undefined => {
  if (/^\*\??$/.test(token)) return { least: 0, most: Infinity };
  if (/^\+\??$/.test(token)) return { least: 1, most: Infinity };
  if (/^\?\??$/.test(token)) return { least: 0, most: 1 };
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}\??$/.exec(token) ?? [];
  if (least === undefined) return undefined;
  if (!comma) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most ? Number(most) : Infinity };
};
