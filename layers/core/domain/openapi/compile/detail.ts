import type { Json, JsonObject } from '../document.ts';
import type { LinkedSchema } from './linked-schema.ts';
import type { Losses } from './losses.ts';
import { type Path, pointerOf } from './path.ts';
import { listed, sentences, shortened } from './texts.ts';

/** How much of a tool is written. */
export interface Detail {
  /** Characters of descriptions: the tool's, an argument's, anything further inside. */
  readonly tool: number;
  readonly argument: number;
  readonly nested: number;
  readonly examples: boolean;
  /** How deep schemas are written where any step on the way may be left out, and where none may. */
  readonly optional: number;
  readonly required: number;
  /** The longest `enum`; a longer one is told in words. */
  readonly values: number;
}

const FULL: Detail = {
  tool: 1024,
  argument: 400,
  nested: 300,
  examples: true,
  optional: 24,
  required: 24,
  values: 400,
};
const SHORT: Detail = { ...FULL, tool: 300, argument: 100, nested: 0 };
const BARE: Detail = { ...SHORT, examples: false };

/**
 * From everything to the least. Descriptions go first, then examples, then what is deep inside, first
 * where it is optional. Source: tools.md.
 */
export const DETAILS: readonly Detail[] = [
  FULL,
  { ...FULL, tool: 600, argument: 200, nested: 120 },
  { ...FULL, tool: 400, argument: 120, nested: 60 },
  SHORT,
  BARE,
  { ...BARE, optional: 10, values: 200 },
  { ...BARE, optional: 7, values: 150 },
  { ...BARE, optional: 6, required: 16, values: 100 },
  { ...BARE, optional: 5, required: 16, values: 100 },
  { ...BARE, optional: 4, required: 12, values: 60 },
  { ...BARE, optional: 3, required: 12, values: 60 },
  { ...BARE, optional: 2, required: 8, values: 40, tool: 200, argument: 80 },
  { ...BARE, optional: 1, required: 5, values: 30, tool: 200, argument: 80 },
  { ...BARE, optional: 1, required: 3, values: 20, tool: 160, argument: 60 },
  { ...BARE, optional: 0, required: 2, values: 20, tool: 160, argument: 60 },
  { ...BARE, optional: -1, required: 1, values: 12, tool: 160, argument: 0 },
];
export const LEAST_DETAIL = DETAILS.length - 1;

/** The keywords of a schema in this detail, without the schemas inside. */
export const ownKeywords = (
  schema: LinkedSchema,
  at: Path,
  depth: number,
  detail: Detail,
  losses: Losses,
): JsonObject => {
  const { type, enum: values, ...others } = schema.keywords;
  const isLong = Array.isArray(values) && values.length > detail.values;
  if (isLong) losses.values.push(pointerOf(at));
  const valueNote = isLong ? `One of ${values.length} values: ${listed(values, 8)}.` : undefined;
  const description = describe(schema, depth, detail, losses, valueNote);
  if (schema.example !== undefined && !detail.examples) losses.examples += 1;
  const own: Record<string, Json> = {};
  if (type !== undefined) own['type'] = type;
  if (description !== undefined) own['description'] = description;
  if (values !== undefined && !isLong) own['enum'] = values;
  Object.assign(own, others);
  if (schema.example !== undefined && detail.examples) own['examples'] = [schema.example];
  return own;
};

/** The outside of a schema whose inside is left out: its type, and that there is more. */
export const stub = (
  schema: LinkedSchema,
  depth: number,
  detail: Detail,
  losses: Losses,
  more = 'What is inside is left out here.',
): JsonObject => {
  const type: Json | undefined = schema.keywords['type'];
  const description = describe(schema, depth, detail, losses, more);
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...([type].flat().includes('array') ? { items: {} } : {}),
  };
};

const describe = (
  { description = '', notes = [] }: LinkedSchema,
  depth: number,
  detail: Detail,
  losses: Losses,
  more?: string,
): string | undefined => {
  const text = shortened(description, depth < 1 ? detail.argument : detail.nested);
  if (text !== description) losses.texts += 1;
  return sentences(text, ...notes, more);
};
