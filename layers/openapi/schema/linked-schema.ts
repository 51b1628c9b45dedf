import type { Change } from '../tool-note.ts';
import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import { readTypes, type TypeName } from '../json-schema/types.ts';

/**
 * A schema of the description, translated to JSON Schema 2020-12 but not yet emitted for one tool:
 * references still point into the description, and texts have their full length.
 */
export interface LinkedSchema {
  /** JSON pointer of the component that this stands for; the other members then add to that. */
  readonly ref?: string;
  readonly description?: string;
  /** What no keyword can say. Kept however short the description becomes. */
  readonly notes?: readonly string[];
  readonly example?: Json;
  /** What the description says of it otherwise, for the owner to read. */
  readonly changes?: readonly Change[];
  /** Keywords without schemas inside, ready to be written. `required` holds argument names. */
  readonly keywords: JsonObject;
  /** Keywords that calls are held against, in place of those above, and that some model API would refuse. */
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
  /** Fit for all model APIs. */
  readonly name: string;
  /** As the API knows it. */
  readonly wireName: string;
  readonly schema: LinkedSchema;
}

export const ANYTHING: LinkedSchema = { keywords: {} };

/** The types a schema names; empty where it takes any. */
export const typesOf = ({ keywords }: LinkedSchema): readonly TypeName[] =>
  keywords['type'] === undefined ? [] : readTypes(keywords);

/** Whether a value is described for where none is given, here or in the component that is referred to. */
export const hasDefault = (schemas: Components, schema: LinkedSchema): boolean =>
  defaultIn(schemas, schema) !== undefined;

interface Components {
  readonly component: (ref: string) => LinkedSchema;
}

/** Those that calls are held against. */
export const checkedKeywords = ({ keywords, unlisted }: LinkedSchema): JsonObject =>
  unlisted === undefined ? keywords : { ...keywords, ...unlisted };

const keywordsOf = (schemas: Components, schema: LinkedSchema): JsonObject =>
  schema.ref === undefined
    ? checkedKeywords(schema)
    : { ...checkedKeywords(schemas.component(schema.ref)), ...checkedKeywords(schema) };

/** What an absent value counts as, here or in the component that is referred to. */
export const defaultIn = (schemas: Components, schema: LinkedSchema): Json | undefined =>
  keywordsOf(schemas, schema)['default'];

/** Characters of a constant: each tool keeps a copy of it, and thousands may refer to one schema. */
const MOST_CONSTANT = 2000;

/** The one text, number or truth value that a schema allows; an empty text stands for none, and so does a long one. */
export const constantIn = (schemas: Components, schema: LinkedSchema): Json | undefined => {
  const { enum: values } = keywordsOf(schemas, schema);
  const [value, ...others] = Array.isArray(values) ? values : [];
  const isPlain =
    value === null || (value !== undefined && value !== '' && typeof value !== 'object');
  const isLong = typeof value === 'string' && value.length > MOST_CONSTANT;
  return isPlain && !isLong && others.length === 0 ? value : undefined;
};

const LISTS = ['prefixItems', 'anyOf', 'allOf'] as const;

/** Every schema directly inside. */
export const partsOf = (schema: LinkedSchema): readonly LinkedSchema[] => {
  const parts: LinkedSchema[] = [];
  for (const property of schema.properties ?? []) parts.push(property.schema);
  for (const [, part] of schema.patternProperties ?? []) parts.push(part);
  if (schema.additionalProperties) parts.push(schema.additionalProperties);
  if (schema.items) parts.push(schema.items);
  for (const keyword of LISTS) for (const part of schema[keyword] ?? []) parts.push(part);
  return parts;
};

/** A schema with the annotations of one place where it is used, such as beside a reference to it. */
export const annotated = (schema: LinkedSchema, use: LinkedSchema): LinkedSchema => {
  if (isBare(use) && (schema.notes ?? []).length < 2) return schema;
  const description = use.description ?? schema.description;
  const notes = [...new Set([...(use.notes ?? []), ...(schema.notes ?? [])])];
  const example = use.example ?? schema.example;
  const changes = [...(use.changes ?? []), ...(schema.changes ?? [])];
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(notes.length > 0 ? { notes } : {}),
    ...(example === undefined ? {} : { example }),
    ...(changes.length > 0 ? { changes } : {}),
    keywords: { ...schema.keywords, ...use.keywords },
  };
};

/** Whether a use has no annotations of its own. */
const isBare = ({ description, notes = [], example, changes, keywords }: LinkedSchema): boolean =>
  description === undefined &&
  notes.length === 0 &&
  example === undefined &&
  changes === undefined &&
  Object.keys(keywords).length === 0;
