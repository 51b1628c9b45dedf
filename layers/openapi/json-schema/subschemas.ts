import { escapeToken } from '../../platform/rules/json/pointer.ts';
import { isObject } from '../../platform/rules/json/json.ts';
import type { Schema } from './schema.ts';

const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'] as const;
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const SINGLES = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
] as const;

interface Part {
  readonly keyword: string;
  readonly key?: string;
  readonly schema: Schema;
}

export const partsOf = (schema: Schema): readonly Part[] => {
  const parts: Part[] = [];
  const addAll = (keyword: string, container: object): void => {
    for (const [key, part] of Object.entries(container)) {
      if (isObject(part)) parts.push({ keyword, key, schema: part });
    }
  };
  for (const keyword of MAPS) if (isObject(schema[keyword])) addAll(keyword, schema[keyword]);
  for (const keyword of LISTS) if (Array.isArray(schema[keyword])) addAll(keyword, schema[keyword]);
  for (const keyword of SINGLES) {
    const part = schema[keyword];
    if (isObject(part)) parts.push({ keyword, schema: part });
  }
  return parts;
};

export const subschemas = (root: unknown): readonly (readonly [string, Schema])[] => {
  const found: (readonly [string, Schema])[] = [];
  eachSubschema(root, (schema, pointer) => found.push([pointer(), schema]));
  return found;
};

/** @param visit - called for every schema inside, the root included; builds the JSON pointer on demand */
export const eachSubschema = (
  root: unknown,
  visit: (schema: Schema, pointer: () => string) => void,
): void => {
  const path: Part[] = [];
  const pointer = (): string =>
    path
      .map(({ keyword, key }) => `/${keyword}${key === undefined ? '' : `/${escapeToken(key)}`}`)
      .join('');
  const walk = (schema: Schema): void => {
    visit(schema, pointer);
    for (const part of partsOf(schema)) {
      path.push(part);
      walk(part.schema);
      path.pop();
    }
  };
  if (isObject(root)) walk(root);
};

/** Every `$ref` that a schema leads to without passing an optional property. */
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
