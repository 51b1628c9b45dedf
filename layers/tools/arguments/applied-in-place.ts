import { isObject } from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import type { Schema } from '../../openapi/json-schema/schema.ts';
import { type Check, NO_VIOLATIONS, type Violations } from './reading.ts';
import type { Shapes } from './shape.ts';
import { isWhollyChecked } from './wholly-checked.ts';

/** Source: JSON Schema 2020-12 Core §8.2.3.1. */
export const reference = ({ $ref }: Schema, { root }: Shapes): Check | undefined => {
  const target = typeof $ref === 'string' ? resolveFragment(root, $ref) : undefined;
  if (!isObject(target) && typeof target !== 'boolean') return undefined;
  return (reading, judge) => judge.violations(target, reading);
};

/** Source: JSON Schema 2020-12 Core §10.2.1.4. */
export const negation = ({ not: schema }: Schema, { root }: Shapes): Check | undefined => {
  if (schema === undefined || !isWhollyChecked(root, schema)) return undefined;
  return (reading, judge) =>
    judge.strict.violations(schema, reading).length > 0
      ? NO_VIOLATIONS
      : [{ reading, keyword: 'not' }];
};

/**
 * Alternatives of a `oneOf` may overlap: that is a flaw of the description, and the target decides.
 *
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
export const allOf = ({ allOf: all, anyOf: any, oneOf }: Schema): Check | undefined => {
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
export const condition = (
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
export const dependentSchemas = ({ dependentSchemas: schemas }: Schema): Check | undefined => {
  if (!isObject(schemas)) return undefined;
  const entries = Object.entries(schemas);
  return (reading, judge) =>
    entries
      .filter(([name]) => reading.members?.has(name))
      .map(([, schema]) => judge.violations(schema, reading))
      .filter(isAny);
};
