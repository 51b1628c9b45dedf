import type { Schema } from '../../openapi/json-schema/schema.ts';
import {
  allOf,
  anyOf,
  condition,
  dependentSchemas,
  negation,
  reference,
} from './applied-in-place.ts';
import { contains, items, properties, propertyNames } from './applied-inside.ts';
import { type Assertion, ASSERTIONS } from './assertions.ts';
import { type Check, type Judge, NO_VIOLATIONS, type Reading } from './reading.ts';
import { isFile, type Shapes, triesPatterns, typeOf } from './shape.ts';

/** Makes the check of one or several keywords, undefined where a schema does not have them. */
type Applicator = (schema: Schema, shapes: Shapes) => Check | undefined;

const assertionsOf = (kind: Assertion['of']): readonly string[] =>
  Object.keys(ASSERTIONS).filter((keyword) => ASSERTIONS[keyword]?.of === kind);

/** Assertions by name, and keywords that apply schemas, in the order in which violations are told. */
const KEYWORDS: readonly (string | Applicator)[] = [
  reference,
  ...assertionsOf(undefined),
  negation,
  anyOf,
  allOf,
  condition,
  ...assertionsOf('object'),
  propertyNames,
  dependentSchemas,
  properties,
  ...assertionsOf('array'),
  items,
  contains,
  ...assertionsOf('number'),
  ...assertionsOf('string'),
];

/**
 * The checks that a schema asks for, worked out when a call first needs them and kept with the tool. What
 * cannot be checked in a bounded time is left to the target.
 */
export const checksOf = (shapes: Shapes, schema: Schema): readonly Check[] => {
  const known = shapes.checks.get(schema);
  if (known) return known;
  const checks = KEYWORDS.flatMap((keyword) => {
    const apply = typeof keyword === 'string' ? assertion(keyword) : keyword;
    return apply(schema, shapes) ?? [];
  });
  shapes.checks.set(schema, checks);
  return checks;
};

const assertion =
  (keyword: string): Applicator =>
  (schema, shapes) => {
    const rule = ruleOf(schema, keyword, shapes);
    const { of: kind, prepare } = ASSERTIONS[keyword] ?? {};
    const test = rule === undefined ? undefined : prepare?.(rule);
    if (!test) return undefined;
    const holds = test.holds as (value: unknown) => boolean;
    return (reading, judge) => {
      // As near as numbers come to it: rules are numbers too.
      const value = typeof reading.value === 'bigint' ? Number(reading.value) : reading.value;
      if (kind !== undefined && typeOf(value) !== kind) return NO_VIOLATIONS;
      judge.spend(keyword === 'uniqueItems' ? reading.weight : (test.cost ?? 0));
      if (holds(value)) return NO_VIOLATIONS;
      if (keyword === 'dependentRequired' && judge.strict !== judge) return NO_VIOLATIONS;
      if (keyword !== 'required') return [{ reading, keyword, rule }];
      const missed = missing(rule, reading, judge);
      return missed.length === 0 ? NO_VIOLATIONS : [{ reading, keyword, rule: missed }];
    };
  };

/** Of the names that are required, those that are missing and may not be. */
const missing = (rule: unknown, reading: Reading, { mayLack }: Judge): readonly unknown[] =>
  (Array.isArray(rule) ? rule : []).filter(
    (name) => !reading.members?.has(String(name)) && !mayLack(reading, String(name)),
  );

const ruleOf = (schema: Schema, keyword: string, shapes: Shapes): unknown => {
  // A file is base64, or an object that names it.
  if (keyword === 'type' && shapes.files && isFile(schema)) return ['string', 'object'];
  if (keyword === 'pattern' && !triesPatterns(shapes, schema)) return undefined;
  return schema[keyword];
};
