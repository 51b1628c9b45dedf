import { isObject, member } from '../../../layers/platform/rules/json/json.ts';
import type { Context } from './policy.ts';
import { anyOf, type Pattern, patternOf } from './pattern.ts';

export type Condition = (context: Context) => boolean;

/**
 * The conditions of a statement, all of which must be fulfilled.
 *
 * What cannot be known counts against the caller: a key that the request does not carry, a key with several
 * values under an operator for one, and an operator that is not implemented let no statement allow and every
 * statement deny. AWS is kinder in two of these: `ForAllValues` without values is true, and a Deny does not
 * apply where its key is absent.
 *
 * Source: IAM User Guide, "IAM JSON policy elements: Condition operators" and "Multivalued context keys".
 */
export const conditionOf = (block: unknown, effect: 'Allow' | 'Deny'): Condition => {
  const unknown = effect === 'Deny';
  if (block === undefined) return () => true;
  if (!isObject(block)) return () => unknown;
  const conditions = Object.entries(block).flatMap(([operator, keys]) =>
    isObject(keys)
      ? Object.entries(keys).map(([key, values]) =>
          oneCondition(operator, key, textsOf(values), unknown),
        )
      : [() => unknown],
  );
  return (context) => conditions.every((fulfilled) => fulfilled(context));
};

const oneCondition = (
  operator: string,
  key: string,
  values: readonly string[] | undefined,
  unknown: boolean,
): Condition => {
  if (!values) return () => unknown;
  if (operator === 'Null') return nullCondition(key, values, unknown);
  const [, set, name = ''] = /^(?:(ForAllValues|ForAnyValue):)?(\w+)$/.exec(operator) ?? [];
  const test = member(OPERATORS, name)?.(values);
  if (!test) return () => unknown;
  return (context) => {
    const carried = valuesIn(context, key);
    if (carried.length === 0) return unknown;
    if (set === 'ForAllValues') return carried.every(test);
    if (set === 'ForAnyValue') return carried.some(test);
    const [value = ''] = carried;
    return carried.length === 1 ? test(value) : unknown;
  };
};

/** `true` asks that the request does not carry the key, `false` that it does. */
const nullCondition = (key: string, values: readonly string[], unknown: boolean): Condition => {
  const [wanted] = values;
  if (values.length !== 1 || (wanted !== 'true' && wanted !== 'false')) return () => unknown;
  return (context) => (valuesIn(context, key).length === 0) === (wanted === 'true');
};

type Operator = (values: readonly string[]) => Pattern;

const numeric =
  (compare: (carried: number, wanted: number) => boolean): Operator =>
  (values) =>
  (text) =>
    text.trim() !== '' && values.some((value) => compare(Number(text), Number(value)));

const equals: Operator = (values) => {
  const wanted = new Set(values);
  return (text) => wanted.has(text);
};

const not =
  (operator: Operator): Operator =>
  (values) => {
    const test = operator(values);
    return (text) => !test(text);
  };

/** Compares part by part: a wildcard in one part does not reach beyond the next colon. */
const arnLike: Operator = (values) => {
  const wanted = values.map((value) => arnParts(value).map(patternOf));
  return (text) => {
    const parts = arnParts(text);
    return wanted.some((patterns) => patterns.every((like, index) => like(parts[index] ?? '')));
  };
};

/** Six parts; the last one, the resource, may contain colons. */
const arnParts = (arn: string): readonly string[] => {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
};

const OPERATORS: Readonly<Record<string, Operator | undefined>> = {
  StringEquals: equals,
  StringNotEquals: not(equals),
  StringLike: anyOf,
  StringNotLike: not(anyOf),
  ArnEquals: arnLike,
  ArnLike: arnLike,
  ArnNotEquals: not(arnLike),
  ArnNotLike: not(arnLike),
  Bool: equals,
  NumericEquals: numeric((carried, wanted) => carried === wanted),
  NumericLessThan: numeric((carried, wanted) => carried < wanted),
  NumericLessThanEquals: numeric((carried, wanted) => carried <= wanted),
  NumericGreaterThan: numeric((carried, wanted) => carried > wanted),
  NumericGreaterThanEquals: numeric((carried, wanted) => carried >= wanted),
};

const valuesIn = (context: Context, key: string): readonly string[] => {
  const carried = Object.hasOwn(context, key) ? context[key] : undefined;
  if (carried === undefined) return [];
  return typeof carried === 'string' ? [carried] : carried;
};

export const textsOf = (value: unknown): readonly string[] | undefined => {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return list.every((one) => typeof one === 'string') ? list : undefined;
};
