import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { ASSERTIONS, mustBe, shortened } from './assertions.ts';
import type { ArgumentFault } from './invalid-arguments.ts';
import { type Judge, pathOf, type Reading, type Violation, type Violations } from './reading.ts';

/** Findings of one alternative that are counted to see which is the nearest. */
const MOST_COUNTED = 1000;
/** Alternatives within alternatives that are looked into. */
const MOST_NESTED = 250;

type Spend = Judge['spend'];
/** Puts a violation into words, when it is known that it will be told. */
type Tell = () => ArgumentFault;

/** What is wrong, in words that name the rule and the place but never the value. */
export function* explained(violations: Violations, spend: Spend, nested = 0): Generator<Tell> {
  if (nested > MOST_NESTED) spend(Infinity);
  // Not by recursion: at each of many levels a value may be held against very many schemas.
  const open = [violations.values()];
  for (let list = open.at(-1); list; list = open.at(-1)) {
    spend(1);
    const { value: one } = list.next();
    if (!one) open.pop();
    else if (!('keyword' in one)) open.push(one.values());
    else if (one.keyword === 'anyOf') yield* nearest(one, spend, nested);
    else if (one.inner) open.push(one.inner.values());
    else if (one.keyword === 'required') yield* missing(one);
    else yield () => ({ path: pathOf(one.reading), message: wordsFor(one, spend) });
  }
}

/** Alternatives that fail on the very type say nothing; of the others the nearest one helps most. */
const nearest = (
  { reading, inner = [] }: Violation,
  spend: Spend,
  nested: number,
): readonly Tell[] => {
  const wanted = inner.map((alternative) => typesIn(alternative, reading, spend));
  const [first] = inner
    .filter((_, index) => wanted[index]?.length === 0)
    .map((alternative) =>
      explained(alternative, spend, nested + 1)
        .take(MOST_COUNTED)
        .toArray(),
    )
    .sort((one, other) => one.length - other.length);
  if (first) return first;
  const types = wanted.flat();
  const message = types.length > 0 ? mustBe(types) : 'matches none of the allowed forms';
  return [() => ({ path: pathOf(reading), message })];
};

/** The types that a value should have had instead. */
const typesIn = (violations: Violations, reading: Reading, spend: Spend): readonly unknown[] =>
  violations.flatMap((one) => {
    spend(1);
    if (!('keyword' in one)) return typesIn(one, reading, spend);
    if (one.reading !== reading) return [];
    if (one.keyword === 'type') return [one.rule].flat();
    return one.inner?.flatMap((inside) => typesIn(inside, reading, spend)) ?? [];
  });

function* missing({ reading, rule }: Violation): Generator<Tell> {
  for (const name of Array.isArray(rule) ? rule.map(String) : []) {
    if (reading.members?.has(name)) continue;
    yield () => ({
      path: pathOf(reading) + pointerTo(name),
      message: 'is required',
      isMissing: true,
    });
  }
}

const wordsFor = ({ keyword, rule }: Violation, spend: Spend): string => {
  if (Array.isArray(rule)) spend(rule.length >> 4);
  return (ASSERTIONS[keyword] ?? APPLICATORS[keyword])?.words(rule) ?? 'is not allowed here';
};

const APPLICATORS: Readonly<Record<string, { readonly words: (rule: unknown) => string }>> = {
  not: { words: () => 'is excluded by the schema' },
  contains: { words: () => 'lacks an item that is required in it' },
  minContains: {
    words: (rule) => `must have at least ${String(rule)} of the items required in it`,
  },
  maxContains: { words: (rule) => `must have at most ${String(rule)} of the items required in it` },
  propertyNames: { words: () => 'has a name that is not allowed' },
  additionalProperties: {
    words: (names) =>
      Array.isArray(names) && names.length > 0
        ? `is not allowed here, only ${shortened(names.join(', '))}`
        : 'is not allowed here',
  },
};
