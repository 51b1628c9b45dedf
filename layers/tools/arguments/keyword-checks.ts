import type { Schema } from '../../openapi/json-schema/schema.ts';
import { partsOf } from '../../openapi/json-schema/subschemas.ts';
import { member, isObject } from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import { type Assertion, ASSERTIONS } from './assertions.ts';
import {
  type Check,
  type Judge,
  NO_VIOLATIONS,
  type Reading,
  type Violation,
  type Violations,
} from './reading.ts';
import { isFile, patternsOf, type Shapes, triesPatterns, typeOf, weightOfName } from './shape.ts';

/** Source: JSON Schema 2020-12 Core §8.2.3.1. */
const reference = ({ $ref }: Schema, { root }: Shapes): Check | undefined => {
  const target = typeof $ref === 'string' ? resolveFragment(root, $ref) : undefined;
  if (!isObject(target) && typeof target !== 'boolean') return undefined;
  return (reading, judge) => judge.violations(target, reading);
};

/** Source: JSON Schema 2020-12 Core §10.2.1.4. */
const negation = ({ not: schema }: Schema, { root }: Shapes): Check | undefined => {
  if (schema === undefined || !isWhollyChecked(root, schema)) return undefined;
  return (reading, judge) =>
    judge.strict.violations(schema, reading).length > 0
      ? NO_VIOLATIONS
      : [{ reading, keyword: 'not' }];
};

/**
 * Several alternatives of a `oneOf` may match: such an overlap is a flaw of the description, and the target decides.
 * Source: JSON Schema 2020-12 Core §10.2.1.2.
 */
export const anyOf = ({ anyOf: any, oneOf }: Schema): Check | undefined => {
  const schemas = Array.isArray(any) ? any : oneOf;
  return Array.isArray(schemas) ? oneApplies(schemas) : undefined;
};

const oneApplies =
  (schemas: readonly unknown[]): Check =>
  (reading, judge) => {
    const inner: Violations[] = [];
    for (const schema of schemas) {
      const violations = judge.violations(schema, reading);
      if (violations.length === 0) return NO_VIOLATIONS;
      inner.push(violations);
    }
    return [{ reading, keyword: 'anyOf', inner }];
  };

/** Source: JSON Schema 2020-12 Core §10.2.1.1. */
const allOf = ({ allOf: all, anyOf: any, oneOf }: Schema): Check | undefined => {
  const schemas: readonly unknown[] = Array.isArray(all) ? all : [];
  const second = Array.isArray(any) && Array.isArray(oneOf) ? oneApplies(oneOf) : undefined;
  if (schemas.length === 0) return second;
  return (reading, judge) => [
    ...schemas.map((schema) => judge.violations(schema, reading)).filter(isAny),
    ...(second?.(reading, judge) ?? []),
  ];
};

const isAny = ({ length }: Violations): boolean => length > 0;

/** Source: JSON Schema 2020-12 Core §10.2.2. */
const condition = (
  { if: test, then, else: otherwise }: Schema,
  { root }: Shapes,
): Check | undefined => {
  if (test === undefined || !isWhollyChecked(root, test)) return undefined;
  return (reading, judge) => {
    const { length } = judge.strict.violations(test, reading);
    return judge.violations(length === 0 ? then : otherwise, reading);
  };
};

/** Source: JSON Schema 2020-12 Core §10.2.2.4. */
const dependentSchemas = ({ dependentSchemas: schemas }: Schema): Check | undefined => {
  if (!isObject(schemas)) return undefined;
  const entries = Object.entries(schemas);
  return (reading, judge) =>
    entries
      .filter(([name]) => reading.members?.has(name))
      .map(([, schema]) => judge.violations(schema, reading))
      .filter(isAny);
};

/** Source: JSON Schema 2020-12 Core §10.3.2. */
export const properties = (schema: Schema, shapes: Shapes): Check | undefined => {
  const { properties: named } = schema;
  const known = isObject(named) ? named : undefined;
  const names = Object.keys(known ?? {});
  const patterns = patternsOf(shapes, schema);
  // Where a pattern cannot be tried, it is unknown which properties are additional.
  const further = patterns ? schema['additionalProperties'] : undefined;
  const isClosed = further === false;
  if (names.length === 0 && !patterns?.length && !isObject(further) && !isClosed) return undefined;

  return ({ members }, judge) => {
    if (!members) return NO_VIOLATIONS;
    judge.spend(names.length >> 6);
    const found: Violation[] = [];
    for (const name of names) {
      const member = members.get(name);
      if (member) note(found, member, judge.violations(known?.[name], member));
    }
    const matched = patterns?.length ? matching(patterns, members, judge, found) : undefined;
    if (!isObject(further) && !isClosed) return found;
    judge.spend(isClosed ? members.size : 0);
    for (const [name, member] of members) {
      if ((known && Object.hasOwn(known, name)) || matched?.has(name)) continue;
      if (isClosed) found.push({ reading: member, keyword: 'additionalProperties', rule: names });
      else note(found, member, judge.violations(further, member));
    }
    return found;
  };
};

const matching = (
  patterns: NonNullable<ReturnType<typeof patternsOf>>,
  members: ReadonlyMap<string, Reading>,
  judge: Judge,
  found: Violation[],
): ReadonlySet<string> => {
  const matched = new Set<string>();
  const named = [...members.keys()].reduce((sum, name) => sum + weightOfName(name), 0);
  judge.spend(patterns.length * named);
  for (const [pattern, schema] of patterns) {
    for (const [name, member] of members) {
      if (!pattern.test(name)) continue;
      matched.add(name);
      note(found, member, judge.violations(schema, member));
    }
  }
  return matched;
};

/** Source: JSON Schema 2020-12 Core §10.3.2.4. */
export const propertyNames = ({ propertyNames: schema }: Schema): Check | undefined => {
  if (!isObject(schema) && schema !== false) return undefined;
  return (above, judge) => {
    const found: Violation[] = [];
    for (const key of above.members?.keys() ?? []) {
      const reading = { above, key, value: key, weight: weightOfName(key), violations: new Map() };
      if (judge.violations(schema, reading).length > 0)
        found.push({ reading, keyword: 'propertyNames' });
    }
    return found;
  };
};

/** Source: JSON Schema 2020-12 Core §10.3.1. */
export const items = ({ prefixItems, items: rest }: Schema): Check | undefined => {
  const prefix: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  if (prefix.length === 0 && !isObject(rest) && rest !== false) return undefined;
  return ({ items: read }, judge) => {
    const found: Violation[] = [];
    for (const [index, item] of (read ?? []).entries()) {
      note(found, item, judge.violations(index < prefix.length ? prefix[index] : rest, item));
    }
    return found;
  };
};

/** Source: JSON Schema 2020-12 Core §10.3.1.3, Validation §6.4.4, §6.4.5. */
export const contains = ({ contains: schema, ...bounds }: Schema): Check | undefined => {
  if (schema === undefined) return undefined;
  const { minContains, maxContains } = bounds;
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Infinity;
  return (reading, judge) => {
    if (!reading.items) return NO_VIOLATIONS;
    const fitting = (by: Judge) =>
      (reading.items ?? []).filter((item) => by.violations(schema, item).length === 0).length;
    if (most !== Infinity && fitting(judge.strict) > most)
      return [{ reading, keyword: 'maxContains', rule: most }];
    if (fitting(judge) >= least) return NO_VIOLATIONS;
    return [
      minContains === undefined
        ? { reading, keyword: 'contains' }
        : { reading, keyword: 'minContains', rule: least },
    ];
  };
};

const note = (found: Violation[], reading: Reading, violations: Violations): void => {
  if (violations.length > 0) found.push({ reading, keyword: 'inside', inner: [violations] });
};

/** Keywords that are checked completely: not `oneOf`, formats, and patterns, which long texts skip. */
const CHECKED: ReadonlySet<string> = new Set(
  [
    '$ref $defs type const enum not anyOf allOf if then else',
    'required minProperties maxProperties propertyNames dependentRequired dependentSchemas',
    'properties additionalProperties',
    'maxItems minItems uniqueItems prefixItems items contains minContains maxContains',
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength',
    'title description default examples',
  ].flatMap((line) => line.split(' ')),
);

/** Limit for the schemas inspected by `isWhollyChecked`: beyond it, `not` and `if` are ignored. */
const MOST_SCHEMAS = 1000;

/** Whether every keyword of a schema is checked: a `not` or `if` with others would refuse valid values. */
const isWhollyChecked = (root: Schema, schema: unknown): boolean => {
  const open = [schema];
  const seen = new Set<unknown>();
  for (const one of open) {
    if (typeof one === 'boolean' || seen.has(one)) continue;
    if (!isObject(one) || !Object.keys(one).every((keyword) => CHECKED.has(keyword))) return false;
    if (seen.add(one).size > MOST_SCHEMAS) return false;
    if (typeof one['$ref'] === 'string') open.push(resolveFragment(root, one['$ref']));
    for (const { keyword, schema: part } of partsOf(one)) if (keyword !== '$defs') open.push(part);
  }
  return true;
};

/** Builds the check for one or several keywords; undefined where a schema lacks them. */
type Applicator = (schema: Schema, shapes: Shapes) => Check | undefined;

const assertionsOf = (kind: Assertion['of']): readonly string[] =>
  Object.keys(ASSERTIONS).filter((keyword) => member(ASSERTIONS, keyword)?.of === kind);

/** In the order in which violations are reported. */
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

/** Checks of a schema, built at its first use and cached; without what cannot be checked in bounded time. */
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
    const { of: kind, prepare } = member(ASSERTIONS, keyword) ?? {};
    const test = rule === undefined ? undefined : prepare?.(rule);
    if (!test) return undefined;
    const holds = test.holds as (value: unknown) => boolean;
    return (reading, judge) => {
      // Precise enough: bounds in schemas are doubles too.
      const value = typeof reading.value === 'bigint' ? Number(reading.value) : reading.value;
      if (kind !== undefined && typeOf(value) !== kind) return NO_VIOLATIONS;
      judge.spend(
        typeof test.cost === 'function'
          ? test.cost(value as never, reading.weight)
          : (test.cost ?? 0),
      );
      if (holds(value)) return NO_VIOLATIONS;
      if (keyword === 'dependentRequired' && judge.strict !== judge) return NO_VIOLATIONS;
      if (judge.leniency.mayBreak(reading, keyword, rule)) return NO_VIOLATIONS;
      if (keyword !== 'required') return [{ reading, keyword, rule }];
      const missed = missing(rule, reading, judge);
      return missed.length === 0 ? NO_VIOLATIONS : [{ reading, keyword, rule: missed }];
    };
  };

const missing = (rule: unknown, reading: Reading, { leniency }: Judge): readonly unknown[] =>
  (Array.isArray(rule) ? rule : []).filter(
    (name) => !reading.members?.has(String(name)) && !leniency.mayLack(reading, String(name)),
  );

const ruleOf = (schema: Schema, keyword: string, shapes: Shapes): unknown => {
  // A file may be base64 text, or an object that refers to it.
  if (keyword === 'type' && shapes.files && isFile(schema)) return ['string', 'object'];
  if (keyword === 'pattern' && !triesPatterns(shapes, schema)) return undefined;
  return schema[keyword];
};
