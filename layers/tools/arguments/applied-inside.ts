import { isObject } from '../../platform/rules/json/json.ts';
import type { Schema } from '../../openapi/json-schema/schema.ts';
import {
  type Check,
  type Judge,
  NO_VIOLATIONS,
  type Reading,
  type Violation,
  type Violations,
} from './reading.ts';
import { patternsOf, type Shapes, weightOfName } from './shape.ts';

/** Source: JSON Schema 2020-12 Core §10.3.2. */
export const properties = (schema: Schema, shapes: Shapes): Check | undefined => {
  const { properties: named } = schema;
  const known = isObject(named) ? named : undefined;
  const names = Object.keys(known ?? {});
  const patterns = patternsOf(shapes, schema);
  // Where a pattern cannot be tried, nobody knows which are the further ones.
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

/** Holds members against the schemas of the patterns that their names match. */
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
