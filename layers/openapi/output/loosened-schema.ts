import { isObject, type Json, type JsonObject } from '../../platform/rules/json/json.ts';
import type { TypeName } from '../json-schema/types.ts';
import { type FlatSchemas, refOf } from '../schema/flat-schema.ts';
import { sentences, shortened, valueList } from '../schema/texts.ts';
import type { AnswerShape, AnswerShapes } from './answer-shape.ts';

/** How much of the form of an answer is told. */
export interface OutputDetail {
  /** Steps into properties and items; what is deeper is of any form. */
  readonly depth: number;
  /** Characters of a description. */
  readonly text: number;
  /** Values that are named. */
  readonly values: number;
}

/** Schemas of one description, and how their references are read. */
export interface LooseningContext {
  readonly flats: Pick<FlatSchemas, 'target'>;
  readonly shapes: AnswerShapes;
  readonly allowsRefSiblings: boolean;
}

/** What all objects inherit: validators that look without asking whose it is take it for a member. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Characters of values that are named. */
const MOST_NAMED = 300;

/** What makes a schema that goes on and on end. */
interface Loosening extends LooseningContext {
  readonly detail: OutputDetail;
  charactersLeft: number;
  /** The schemas around the one that is written. */
  readonly around: Set<Json>;
}

export interface Loosened {
  readonly shape: AnswerShape;
  /** Of each property at the root. */
  readonly properties: JsonObject;
  /** Of the items, if something is known of them. */
  readonly items: JsonObject | undefined;
  readonly description: string | undefined;
}

/**
 * What an answer looks like, and nothing that real answers break: of each value its type or null, what is
 * inside it, and a description. Nothing is required and nothing excluded, nothing refers to anything,
 * and a part that contains itself is of any form. So every validator can compile it.
 *
 * @returns undefined where it takes more than `maxCharacters`
 *
 * Source: docs/tools.md, "Structured output".
 */
export const loosened = (
  context: LooseningContext,
  schemas: readonly Json[],
  detail: OutputDetail,
  maxCharacters: number,
): Loosened | undefined => {
  const loosening = { ...context, detail, charactersLeft: maxCharacters, around: new Set<Json>() };
  const meant = schemas.map((schema) => meantBy(loosening, schema));
  for (const schema of meant) loosening.around.add(schema);
  const shape = context.shapes(schemas);
  const properties = propertiesIn(loosening, shape, 1);
  const items = itemsIn(loosening, shape, 1);
  const description = describe(loosening, shape);
  return loosening.charactersLeft < 0 ? undefined : { shape, properties, items, description };
};

const written = (loosening: Loosening, schemas: readonly Json[], depth: number): JsonObject => {
  if (loosening.charactersLeft < 0) return {};
  const { around, detail, shapes } = loosening;
  const meant = schemas.map((schema) => meantBy(loosening, schema));
  if (meant.some((schema) => around.has(schema))) return {};
  const shape = shapes(schemas);
  const isDeepest = depth >= detail.depth;
  for (const schema of meant) around.add(schema);
  const properties = isDeepest ? {} : propertiesIn(loosening, shape, depth + 1);
  const items = isDeepest ? undefined : itemsIn(loosening, shape, depth + 1);
  for (const schema of meant) around.delete(schema);
  const description = describe(loosening, shape);
  loosening.charactersLeft -= 20;
  return {
    ...(shape.types.length > 0 && { type: orNull(shape.types) }),
    ...(description !== undefined && { description }),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(items && { items }),
  };
};

/** Many APIs answer null where they promise something else. */
const orNull = (types: readonly TypeName[]): readonly TypeName[] => [
  ...types.filter((type) => type !== 'null'),
  'null',
];

const propertiesIn = (loosening: Loosening, shape: AnswerShape, depth: number): JsonObject => {
  const properties: [string, JsonObject][] = [];
  if (!shape.types.includes('object')) return {};
  for (const [name, schemas] of shape.properties) {
    loosening.charactersLeft -= name.length + 6;
    if (loosening.charactersLeft < 0) break;
    const property = INHERITED.has(name) ? {} : written(loosening, schemas, depth);
    properties.push([name, property]);
  }
  return Object.fromEntries(properties);
};

const itemsIn = (
  loosening: Loosening,
  { types, items }: AnswerShape,
  depth: number,
): JsonObject | undefined => {
  if (!types.includes('array') || items.length === 0) return undefined;
  const item = written(loosening, items, depth);
  return Object.keys(item).length > 0 ? item : undefined;
};

const describe = (
  loosening: Loosening,
  { description = '', values }: AnswerShape,
): string | undefined => {
  const { detail } = loosening;
  const named = values && detail.values > 0 ? valueList(values, detail.values) : undefined;
  const listed = named === undefined ? undefined : `One of: ${shortened(named, MOST_NAMED)}.`;
  const said = sentences(shortened(description, detail.text), listed);
  loosening.charactersLeft -= said?.length ?? 0;
  return said;
};

/** What a mere reference stands for, so that a part that contains itself is known again. */
export const meantBy = ({ flats, allowsRefSiblings }: LooseningContext, schema: Json): Json => {
  if (!isObject(schema)) return schema;
  const ref = refOf(schema, allowsRefSiblings);
  return ref === undefined ? schema : (flats.target(ref)?.schema ?? schema);
};
