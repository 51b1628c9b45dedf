import { escapeToken } from '../../platform/rules/json/pointer.ts';
import { isObject } from '../../platform/rules/json/json.ts';
import type { Schema } from './schema.ts';

const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SINGLES = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
];

/** A schema inside another: the keyword it stands under, and its name or number there. */
interface Part {
  readonly keyword: string;
  readonly key?: string;
  readonly schema: Schema;
}

/** Every schema directly inside. */
export const partsOf = (schema: Schema): readonly Part[] => [
  ...MAPS.flatMap((keyword) => entries(keyword, schema[keyword], isObject)),
  ...LISTS.flatMap((keyword) => entries(keyword, schema[keyword], Array.isArray)),
  ...SINGLES.flatMap((keyword) => {
    const part = schema[keyword];
    return isObject(part) ? [{ keyword, schema: part }] : [];
  }),
];

/** Every schema in a schema, itself included, with its JSON pointer. */
export const subschemas = (root: unknown): readonly (readonly [string, Schema])[] => {
  const found: (readonly [string, Schema])[] = [];
  const visit = (at: string, schema: Schema): void => {
    found.push([at, schema]);
    for (const { keyword, key, schema: part } of partsOf(schema)) {
      visit(`${at}/${keyword}${key === undefined ? '' : `/${escapeToken(key)}`}`, part);
    }
  };
  if (isObject(root)) visit('', root);
  return found;
};

const entries = (
  keyword: string,
  container: unknown,
  isFit: (value: unknown) => boolean,
): readonly Part[] =>
  isFit(container)
    ? Object.entries(container as object).flatMap(([key, schema]) =>
        isObject(schema) ? [{ keyword, key, schema }] : [],
      )
    : [];

/** Every `$ref` that a schema leads to without a property in between that may be left out. */
export const requiredReferences = (schema: Schema): ReadonlySet<string> => {
  const refs = new Set<string>();
  const open = [schema];
  for (let part = open.pop(); part; part = open.pop()) {
    const { $ref, required } = part;
    if (typeof $ref === 'string') refs.add($ref);
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    for (const { keyword, key, schema: inside } of partsOf(part)) {
      if (keyword !== 'properties' || names.includes(key)) open.push(inside);
    }
  }
  return refs;
};
