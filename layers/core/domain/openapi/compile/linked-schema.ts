import type { Change } from '../../tool-note.ts';
import type { Json, JsonObject } from '../document.ts';
import { readTypes, type TypeName } from './types.ts';

/**
 * A schema as JSON Schema 2020-12 has it, before it is laid out for one tool: references still point
 * into the description, and texts have their full length.
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
  readonly properties?: readonly LinkedProperty[];
  readonly one?: Readonly<Partial<Record<'items' | 'additionalProperties', LinkedSchema>>>;
  readonly many?: Readonly<
    Partial<Record<'anyOf' | 'allOf' | 'prefixItems', readonly LinkedSchema[]>>
  >;
  readonly patternProperties?: readonly (readonly [pattern: string, schema: LinkedSchema])[];
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

/** Every schema directly inside. */
export const partsOf = (schema: LinkedSchema): readonly LinkedSchema[] => {
  const parts: LinkedSchema[] = [];
  for (const property of schema.properties ?? []) parts.push(property.schema);
  if (schema.one) parts.push(...Object.values(schema.one));
  if (schema.many) for (const list of Object.values(schema.many)) parts.push(...list);
  for (const [, part] of schema.patternProperties ?? []) parts.push(part);
  return parts;
};

/** A schema with what stands around it, or beside a reference to it, said of this use. */
export const joined = (use: LinkedSchema, target: LinkedSchema): LinkedSchema => {
  if (isSilent(use) && (target.notes ?? []).length < 2) return target;
  const description = use.description ?? target.description;
  const notes = [...new Set([...(use.notes ?? []), ...(target.notes ?? [])])];
  const example = use.example ?? target.example;
  const changes = [...(use.changes ?? []), ...(target.changes ?? [])];
  return {
    ...target,
    ...(description === undefined ? {} : { description }),
    ...(notes.length > 0 ? { notes } : {}),
    ...(example === undefined ? {} : { example }),
    ...(changes.length > 0 ? { changes } : {}),
    keywords: { ...target.keywords, ...use.keywords },
  };
};

/** Whether a use says nothing of its own. */
const isSilent = ({ description, notes = [], example, changes, keywords }: LinkedSchema): boolean =>
  description === undefined &&
  notes.length === 0 &&
  example === undefined &&
  changes === undefined &&
  Object.keys(keywords).length === 0;
