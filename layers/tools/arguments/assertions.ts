import { isDeepStrictEqual } from 'node:util';
import { boundedPattern, patternWithin } from '../../openapi/json-schema/bounded-pattern.ts';
import { checkedFormat } from '../../openapi/json-schema/formats.ts';
import { isOneOf, type TypeName } from '../../openapi/json-schema/types.ts';
import { canonicalText, type Json, type JsonObject } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { InvalidArguments } from './invalid-arguments.ts';

/** A JSON Schema keyword that can be checked without looking at other keywords. */
export interface Assertion {
  /** Type of value that it applies to; absent: any. */
  readonly of?: 'string' | 'number' | 'array' | 'object';
  /** @returns undefined where the keyword's value cannot be checked */
  readonly prepare: (rule: unknown) => Test | undefined;
  readonly words: (rule: unknown) => string;
}

interface Test {
  readonly holds: (value: never) => boolean;
  /** Cost in schema checks, where it takes as long as several. */
  readonly cost?: number | ((value: never, weight: number) => number);
}

const LONGEST_LIST = 500;
/** Cost of a pattern that does not match in linear time, in schema checks. */
const PATTERN_COST = 200;

export const shortened = (text: string): string =>
  text.length > LONGEST_LIST ? `${text.slice(0, LONGEST_LIST).toWellFormed()}…` : text;

const NAMES_OF_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['boolean', 'a boolean'],
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['string', 'a string'],
  ['array', 'an array'],
  ['object', 'an object'],
]);

export const mustBe = (types: readonly unknown[]): string =>
  `must be ${[...new Set(types)].map((type) => NAMES_OF_TYPES.get(type) ?? String(type)).join(' or ')}`;

const listed = (values: readonly unknown[]): string =>
  shortened(values.map((value) => JSON.stringify(value)).join(', '));

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && isDeepStrictEqual(one, other));

/** Weight of a schema's constant: its members, and its strings a little. */
const weightOf = (rule: unknown): number => {
  if (typeof rule === 'string') return 1 + (rule.length >> 4);
  if (typeof rule !== 'object' || rule === null) return 1;
  return Object.entries(rule).reduce(
    (sum, [name, inside]) => sum + weightOf(inside) + (name.length >> 4),
    1,
  );
};

/** Cost of a comparison: lists and objects may differ only in their last member, strings are compared fast. */
const costOfComparing = (rules: readonly unknown[]): NonNullable<Test['cost']> => {
  const fewest = rules.length >> 4;
  const weights = rules.map(weightOf);
  const most = weights.reduce((sum, weight) => sum + weight, 0);
  if (most < 32) return fewest;
  return (value: unknown, weight: number): number => {
    if (typeof value === 'string') return fewest + (Math.min(most, rules.length * weight) >> 8);
    if (typeof value !== 'object' || value === null) return fewest;
    return weights.reduce((sum, one) => sum + Math.min(one, weight), 0) >> 4;
  };
};

/** Names that can be looked up in the time of one schema check. */
const NAMES_A_CHECK = 64;

/** Runs in linear time: comparing each item with each would be quadratic. */
const repeats = (items: readonly unknown[]): boolean => {
  const scalars = items.filter((item) => typeof item !== 'object');
  const others = items.filter((item) => typeof item === 'object').map(canonicalText);
  return new Set(scalars).size < scalars.length || new Set(others).size < others.length;
};

/** Counts code points, as JSON Schema does, where `length` counts UTF-16 code units. */
const hasCharacters = (text: string, count: number): boolean => {
  if (text.length < count || text.length >= 2 * count) return text.length >= count;
  let left = count;
  for (const _ of text) left -= 1;
  return left <= 0;
};

/** Cost of `hasCharacters`, which need not count in most texts. */
const charactersCounted = (text: string, count: number): number =>
  text.length < count || text.length > 2 * count + 2 ? 0 : text.length >> 7;

/** Fractions are compared in decimal: 0.3 is a multiple of 0.1, though not in binary. */
const isMultiple = (value: number, divisor: number): boolean =>
  value % divisor === 0 ||
  (isFraction(value, divisor) && Number.isInteger(Number((value / divisor).toPrecision(15))));

const isFraction = (...numbers: readonly number[]): boolean => !numbers.every(Number.isInteger);

const hasAll = (members: JsonObject, names: readonly unknown[]): boolean =>
  names.every((name) => Object.hasOwn(members, String(name)));

/** Cached number of members: counting 50,000 takes milliseconds, and many schemas may ask. */
const sizes = new WeakMap<JsonObject, number>();

const size = (members: JsonObject): number => {
  const known = sizes.get(members);
  if (known !== undefined) return known;
  const names = Object.keys(members).length;
  sizes.set(members, names);
  return names;
};

/** Cost of `size`, which only the first caller pays. */
const namesOf = (members: JsonObject): number =>
  sizes.has(members) ? 0 : size(members) / NAMES_A_CHECK;

/** @param words - message, with `#` for the keyword's value */
const bound = <Value>(
  of: Assertion['of'] & string,
  words: string,
  holds: (value: Value, rule: number) => boolean,
  cost: (value: Value, rule: number) => number = () => 0,
): Assertion => ({
  of,
  prepare: (rule) =>
    typeof rule === 'number'
      ? {
          holds: (value: Value) => holds(value, rule),
          cost: (value: Value) => cost(value, rule),
        }
      : undefined,
  words: (rule) => `must ${words.replace('#', String(rule))}`,
});

type List = readonly unknown[];

const isList: (rule: unknown) => rule is List = Array.isArray;

/** Source: JSON Schema 2020-12 Validation §6, §7. */
export const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  type: {
    prepare: (rule) => {
      const types = [rule].flat() as readonly TypeName[];
      return { holds: (value: Json) => isOneOf(types, value) };
    },
    words: (rule) => mustBe([rule].flat()),
  },
  const: {
    prepare: (rule) => ({
      holds: (value) => isSame(value, rule),
      cost: costOfComparing([rule]),
    }),
    words: (rule) => `must be ${listed([rule])}`,
  },
  enum: {
    prepare: (rule) =>
      isList(rule)
        ? { holds: (value) => rule.some((one) => isSame(value, one)), cost: costOfComparing(rule) }
        : undefined,
    words: (rule) => `must be one of ${listed([rule].flat())}`,
  },

  required: {
    of: 'object',
    prepare: (rule) =>
      isList(rule)
        ? { holds: (members) => hasAll(members, rule), cost: rule.length / NAMES_A_CHECK }
        : undefined,
    words: () => 'is required',
  },
  minProperties: bound<JsonObject>(
    'object',
    'have at least # members',
    (value, rule) => size(value) >= rule,
    namesOf,
  ),
  maxProperties: bound<JsonObject>(
    'object',
    'have at most # members',
    (value, rule) => size(value) <= rule,
    namesOf,
  ),
  dependentRequired: {
    of: 'object',
    prepare: (rule) => {
      const names = Object.entries(objectOf(rule));
      const holds = (members: JsonObject): boolean =>
        names.every(
          ([name, others]) => !Object.hasOwn(members, name) || hasAll(members, [others].flat()),
        );
      const count = names.reduce((sum, [, others]) => sum + 1 + [others].flat().length, 0);
      return { holds, cost: count / NAMES_A_CHECK };
    },
    words: () => 'lacks a member that goes with another one',
  },

  maxItems: bound<List>('array', 'have at most # items', ({ length }, rule) => length <= rule),
  minItems: bound<List>('array', 'have at least # items', ({ length }, rule) => length >= rule),
  uniqueItems: {
    of: 'array',
    prepare: (rule) =>
      rule === true
        ? { holds: (items) => !repeats(items), cost: (_items, weight) => weight }
        : undefined,
    words: () => 'must not hold the same item twice',
  },

  minimum: bound<number>('number', 'be at least #', (value, rule) => value >= rule),
  maximum: bound<number>('number', 'be at most #', (value, rule) => value <= rule),
  exclusiveMinimum: bound<number>('number', 'be greater than #', (value, rule) => value > rule),
  exclusiveMaximum: bound<number>('number', 'be less than #', (value, rule) => value < rule),
  multipleOf: bound<number>('number', 'be a multiple of #', isMultiple),

  minLength: bound<string>(
    'string',
    'have at least # characters',
    hasCharacters,
    charactersCounted,
  ),
  maxLength: bound<string>(
    'string',
    'have at most # characters',
    (text, rule) => !hasCharacters(text, Math.floor(rule) + 1),
    charactersCounted,
  ),
  pattern: {
    of: 'string',
    prepare: (rule) => {
      const bounded = boundedPattern(String(rule));
      if (!bounded) return undefined;
      const pattern = new RegExp(bounded.source, 'u');
      return { holds: (text) => pattern.test(text), cost: bounded.linear ? 0 : PATTERN_COST };
    },
    words: (rule) => {
      const { source = '' } = boundedPattern(String(rule)) ?? {};
      return `must match the pattern ${shortened(patternWithin(source))}`;
    },
  },
  format: {
    of: 'string',
    prepare: (rule) => {
      const format = checkedFormat(rule);
      return format && { holds: format.matches };
    },
    words: (rule) => `must be ${checkedFormat(rule)?.meaning ?? String(rule)}`,
  },
};

/** Remaining work for the arguments of one call: no schema and value together may block a router. */
export interface Budget {
  values: number;
  /** Schemas that are searched for those that apply to a value. */
  steps: number;
  /** Checks of a value against a schema, about half a second of work. */
  checks: number;
}

const MOST_VALUES = 100_000;

export const fullBudget = (): Budget => ({
  values: MOST_VALUES,
  steps: 2_000_000,
  checks: 500_000,
});

/** Takes work from a budget. @throws RpcRefusal where less is left */
export const spend = (budget: Budget, of: keyof Budget, amount: number): void => {
  budget[of] -= amount;
  if (budget[of] < 0) throw tooMuch(TOO_MUCH[of]);
};

const TOO_MUCH: Readonly<Record<keyof Budget, string>> = {
  values: `hold more than ${MOST_VALUES} values`,
  steps: 'are too large for this tool',
  checks: 'are too large to be checked for this tool',
};

export const tooMuch = (message: string) =>
  new InvalidArguments([{ path: '', message, keyword: 'size' }]);
