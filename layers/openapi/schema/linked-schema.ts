import type { Change } from '../tool-note.ts';
import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import { readTypes, type TypeName } from '../json-schema/types.ts';

/** A schema translated to JSON Schema 2020-12 but not yet emitted: references point into the description. */
export interface LinkedSchema {
  /** JSON pointer of a component, to which the other members add. */
  readonly ref?: string;
  readonly description?: string;
  /** Texts that keywords cannot express, kept however short the description becomes. */
  readonly notes?: readonly string[];
  readonly example?: Json;
  readonly changes?: readonly Change[];
  /** Keywords without subschemas, ready to emit. `required` has argument names. */
  readonly keywords: JsonObject;
  /** Keywords for validation that replace the listed ones, which some model API would refuse. */
  readonly unlisted?: JsonObject;
  readonly properties?: readonly LinkedProperty[];
  readonly patternProperties?: readonly (readonly [pattern: string, schema: LinkedSchema])[];
  readonly additionalProperties?: LinkedSchema;
  readonly items?: LinkedSchema;
  readonly prefixItems?: readonly LinkedSchema[];
  readonly anyOf?: readonly LinkedSchema[];
  readonly allOf?: readonly LinkedSchema[];
}

export interface LinkedProperty {
  readonly name: string;
  readonly wireName: string;
  readonly schema: LinkedSchema;
}

export const ANYTHING: LinkedSchema = { keywords: {} };

export const typesOf = ({ keywords }: LinkedSchema): readonly TypeName[] =>
  keywords['type'] === undefined ? [] : readTypes(keywords);

export const hasDefault = (schemas: Components, schema: LinkedSchema): boolean =>
  defaultIn(schemas, schema) !== undefined;

interface Components {
  readonly component: (ref: string) => LinkedSchema;
}

export const checkedKeywords = ({ keywords, unlisted }: LinkedSchema): JsonObject =>
  unlisted === undefined ? keywords : { ...keywords, ...unlisted };

const keywordsOf = (schemas: Components, schema: LinkedSchema): JsonObject =>
  schema.ref === undefined
    ? checkedKeywords(schema)
    : { ...checkedKeywords(schemas.component(schema.ref)), ...checkedKeywords(schema) };

/** The default, here or in the referenced component. */
export const defaultIn = (schemas: Components, schema: LinkedSchema): Json | undefined =>
  keywordsOf(schemas, schema)['default'];

/** Characters. Each tool keeps a copy of its constants, and thousands may share one schema. */
const MOST_CONSTANT = 2000;

/** The single scalar that a schema allows. Empty strings are placeholders, and long ones are left to callers. */
export const constantIn = (schemas: Components, schema: LinkedSchema): Json | undefined => {
  const { enum: values } = keywordsOf(schemas, schema);
  const [value, ...others] = Array.isArray(values) ? values : [];
  const isPlain =
    value === null || (value !== undefined && value !== '' && typeof value !== 'object');
  const isLong = typeof value === 'string' && value.length > MOST_CONSTANT;
  return isPlain && !isLong && others.length === 0 ? value : undefined;
};

const LISTS = ['prefixItems', 'anyOf', 'allOf'] as const;

export const partsOf = (schema: LinkedSchema): readonly LinkedSchema[] => {
  const parts: LinkedSchema[] = [];
  for (const property of schema.properties ?? []) parts.push(property.schema);
  for (const [, part] of schema.patternProperties ?? []) parts.push(part);
  if (schema.additionalProperties) parts.push(schema.additionalProperties);
  if (schema.items) parts.push(schema.items);
  for (const keyword of LISTS) for (const part of schema[keyword] ?? []) parts.push(part);
  return parts;
};

/** Adds the annotations of a single use, such as those beside a reference. */
export const annotated = (schema: LinkedSchema, use: LinkedSchema): LinkedSchema => {
  if (isBare(use) && (schema.notes ?? []).length < 2) return schema;
  const description = use.description ?? schema.description;
  const notes = [...new Set([...(use.notes ?? []), ...(schema.notes ?? [])])];
  const example = use.example ?? schema.example;
  const changes = [...(use.changes ?? []), ...(schema.changes ?? [])];
  return withoutBrokenPattern({
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(notes.length > 0 ? { notes } : {}),
    ...(example === undefined ? {} : { example }),
    ...(changes.length > 0 ? { changes } : {}),
    keywords: { ...schema.keywords, ...use.keywords },
  });
};

const PATTERN_BROKEN: Change = {
  what: 'the pattern is described in words',
  why: "the description's own example does not match it, so only the API knows which is right",
};

/**
 * Without a pattern that the example beside it breaks: a model would be refused what it is shown. Both are short, and
 * patterns are read by `safePattern` before.
 */
export const withoutBrokenPattern = (schema: LinkedSchema): LinkedSchema => {
  const { example, keywords, unlisted } = schema;
  if (typeof example !== 'string') return schema;
  const { pattern } = checkedKeywords(schema);
  if (typeof pattern !== 'string') return schema;
  if (new RegExp(pattern, 'u').test(example)) return schema;
  const { pattern: listed, ...others } = keywords;
  const { pattern: _, ...unchecked } = unlisted ?? {};
  const { unlisted: __, ...rest } = schema;
  const note = listed === undefined ? [] : [`Pattern: ${pattern}`];
  return {
    ...rest,
    keywords: others,
    ...(Object.keys(unchecked).length > 0 && { unlisted: unchecked }),
    notes: [...(schema.notes ?? []), ...note],
    changes: [...(schema.changes ?? []), PATTERN_BROKEN],
  };
};

const isBare = ({ description, notes = [], example, changes, keywords }: LinkedSchema): boolean =>
  description === undefined &&
  notes.length === 0 &&
  example === undefined &&
  changes === undefined &&
  Object.keys(keywords).length === 0;
