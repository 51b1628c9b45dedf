import { isObject } from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import type { Schema } from '../../openapi/json-schema/schema.ts';
import { partsOf } from '../../openapi/json-schema/subschemas.ts';

/**
 * Of these all that they say is checked. Not so of `oneOf`, of formats, and of patterns, which are not
 * tried on long texts.
 */
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

/** Schemas that are looked at for one answer; who leads to more decides nothing. */
const MOST_SCHEMAS = 1000;

/**
 * Whether all that a schema says is checked. Where a schema is negated or decides between others, checking
 * less would refuse more.
 */
export const isWhollyChecked = (root: Schema, schema: unknown): boolean => {
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
