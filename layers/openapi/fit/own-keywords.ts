import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import type { LinkedSchema } from '../schema/linked-schema.ts';
import { sentences, shortened, valueList } from '../schema/texts.ts';
import type { Detail } from './detail.ts';
import type { Omissions } from './omissions.ts';
import type { Position } from './position.ts';

/** In how much detail a tool is emitted, and what that leaves out, which is counted as it happens. */
export interface Shortening {
  readonly detail: Detail;
  readonly omissions: Omissions;
}

/** Values of a list that is too long, named in its description. */
const MOST_NAMED_VALUES = 8;

/** The keywords of a schema without the schemas inside. */
export const ownKeywords = (
  shortening: Shortening,
  schema: LinkedSchema,
  position: Position,
): JsonObject => {
  const { detail, omissions } = shortening;
  const { type, enum: values, ...others } = schema.keywords;
  const isLong = Array.isArray(values) && values.length > detail.values;
  const valueNote = isLong
    ? `One of ${values.length} values: ${valueList(values, MOST_NAMED_VALUES)}.`
    : undefined;
  const description = describe(shortening, schema, position, valueNote);
  if (isLong) omissions.values.push(position.pointer);
  if (schema.example !== undefined && !detail.examples) omissions.examples += 1;
  const own: Record<string, Json> = {};
  if (type !== undefined) own['type'] = type;
  if (description !== undefined) own['description'] = description;
  if (values !== undefined && !isLong) own['enum'] = values;
  Object.assign(own, others);
  if (schema.example !== undefined && detail.examples) own['examples'] = [schema.example];
  return own;
};

/** A schema whose inside is left out: its type, and why there is no more. */
export const withoutInside = (
  shortening: Shortening,
  schema: LinkedSchema,
  position: Position,
  reason: string,
): JsonObject => {
  const type: Json | undefined = schema.keywords['type'];
  const description = describe(shortening, schema, position, reason);
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...([type].flat().includes('array') ? { items: {} } : {}),
  };
};

const describe = (
  { detail, omissions }: Shortening,
  { description = '', notes = [] }: LinkedSchema,
  { depth }: Position,
  more: string | undefined,
): string | undefined => {
  const text = shortened(description, depth < 1 ? detail.argument : detail.nested);
  if (text !== description) omissions.texts += 1;
  return sentences(text, ...notes, more);
};
