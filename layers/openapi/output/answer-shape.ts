import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { commonType, readTypes, type TypeName, valuesOf } from '../json-schema/types.ts';
import { type FlatSchemas, listOf } from '../schema/flat-schema.ts';
import { textOf } from '../schema/texts.ts';

/** What is left of schemas when only the form of a value counts. Schemas inside are as the description has them. */
export interface AnswerShape {
  /** Empty: any. */
  readonly types: readonly TypeName[];
  /** Each is of a form that one of its schemas has. */
  readonly properties: ReadonlyMap<string, readonly Json[]>;
  /** Of all items; empty where nothing is known of them. */
  readonly items: readonly Json[];
  readonly description?: string;
  /** That the description lists. */
  readonly values?: readonly Json[];
}

/** With more alternatives than this, nobody is helped by what they have in common. */
const MOST_ALTERNATIVES = 50;
/** More than ten times what the largest of the real descriptions takes. */
const MOST_WORK = 1_000_000;

const ANY: AnswerShape = { types: [], properties: new Map(), items: [] };

/** The form of a value that fits one of these schemas. */
export type AnswerShapes = (schemas: readonly Json[]) => AnswerShape;

/**
 * Reads the forms of values: compositions are merged, alternatives become one form with the types and
 * properties of all of them. Each schema is read once.
 *
 * @param maxWork - properties and values that are put together for all of a description; what comes after
 *   them is of any form. A few schemas of many alternatives could make work for minutes.
 *
 * Source: docs/tools.md, "Structured output".
 */
export const answerShapes = (flats: Flats, maxWork = MOST_WORK): AnswerShapes => {
  const read = new Map<JsonObject, AnswerShape>();
  const known = new Map<Json, AnswerShape>();
  let work = 0;

  const counted = (shape: AnswerShape): AnswerShape => {
    work += 1 + shape.properties.size + (shape.values?.length ?? 0);
    return work > maxWork ? ANY : shape;
  };

  const ownShape = (schema: JsonObject, flat: JsonObject): AnswerShape => {
    const own = read.get(schema) ?? counted(shapeOf(flats, flat));
    read.set(schema, own);
    return own;
  };

  const alternatives = (schema: Json, seen: Set<Json>): readonly AnswerShape[] => {
    if (!isObject(schema) || seen.size >= MOST_ALTERNATIVES || work > maxWork) return [ANY];
    // One that leads back to itself says nothing more.
    if (seen.has(schema)) return [];
    seen.add(schema);
    const flat = flats.flat(schema);
    const own = ownShape(schema, flat);
    const further = listOf(member(flat, 'anyOf')).flatMap((one) => alternatives(one, seen));
    return further.length === 0 ? [own] : further.map((shape) => counted(both(own, shape)));
  };

  return (schemas) => {
    const [only = null, ...others] = schemas;
    const before = others.length === 0 ? known.get(only) : undefined;
    if (before) return before;
    const seen = new Set<Json>();
    const shapes = schemas.flatMap((schema) => alternatives(schema, seen));
    const [first = ANY] = shapes;
    const shape = shapes.length < 2 ? first : counted(eitherOf(shapes.map(counted)));
    if (others.length === 0) known.set(only, shape);
    return shape;
  };
};

type Flats = Pick<FlatSchemas, 'flat'>;

const shapeOf = (flats: Flats, flat: JsonObject): AnswerShape => {
  const description = textOf(flat, 'description');
  const values = valuesOf(flat);
  return {
    types: readTypes(flat),
    properties: new Map(
      Object.entries(objectIn(flat, 'properties')).flatMap(([name, property]) =>
        isLeftOut(flats, property) ? [] : [[name, [property]] as const],
      ),
    ),
    items: itemsOf(flat),
    ...(description !== undefined && { description }),
    ...(values && { values }),
  };
};

const objectIn = (schema: JsonObject, keyword: string): JsonObject => {
  const value = member(schema, keyword);
  return isObject(value) ? value : {};
};

/** What no answer has. */
const isLeftOut = ({ flat }: Flats, property: Json): boolean => {
  if (!isObject(property)) return property === false;
  const { readOnly, writeOnly } = flat(property);
  return writeOnly === true && readOnly !== true;
};

/** Items after those that `prefixItems` describes are not all items. */
const itemsOf = (flat: JsonObject): readonly Json[] => {
  const items = member(flat, 'items');
  return isObject(items) && member(flat, 'prefixItems') === undefined ? [items] : [];
};

/** A value that has both forms. */
const both = (one: AnswerShape, other: AnswerShape): AnswerShape => {
  const description = one.description ?? other.description;
  const values = one.values ?? other.values;
  return {
    types: commonTypes(one.types, other.types),
    properties: together([one, other]),
    items: one.items.length > 0 ? one.items : other.items,
    ...(description !== undefined && { description }),
    ...(values && { values }),
  };
};

const commonTypes = (one: readonly TypeName[], other: readonly TypeName[]): readonly TypeName[] => {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const common = one.flatMap((type) => commonType(type, other) ?? []);
  return common.length > 0 ? common : one;
};

/** A value that has one of these forms. */
const eitherOf = (shapes: readonly AnswerShape[]): AnswerShape => {
  const types = new Set(shapes.flatMap((shape) => shape.types));
  if (types.has('number')) types.delete('integer');
  if (shapes.some((shape) => shape.types.length === 0))
    return { ...ANY, ...describedAlike(shapes) };
  const objects = shapes.filter((shape) => shape.types.includes('object'));
  const arrays = shapes.filter((shape) => shape.types.includes('array'));
  const values = shapes.flatMap((shape) => shape.values ?? []);
  return {
    types: [...types],
    // Where one may have any members, it may have those of another in any form.
    properties: objects.every(({ properties }) => properties.size > 0)
      ? together(objects)
      : new Map(),
    items: arrays.every(({ items }) => items.length > 0)
      ? arrays.flatMap(({ items }) => items)
      : [],
    ...describedAlike(shapes),
    ...(shapes.every((shape) => shape.values) && { values }),
  };
};

/** What is said of all of them. */
const describedAlike = (shapes: readonly AnswerShape[]): Pick<AnswerShape, 'description'> => {
  const texts = new Set(shapes.flatMap(({ description }) => description ?? []));
  const [text] = texts;
  return texts.size === 1 && text !== undefined ? { description: text } : {};
};

const together = (shapes: readonly AnswerShape[]): ReadonlyMap<string, readonly Json[]> => {
  const properties = new Map<string, Json[]>();
  for (const shape of shapes) {
    for (const [name, schemas] of shape.properties) {
      const known = properties.get(name);
      if (known) known.push(...schemas);
      else properties.set(name, [...schemas]);
    }
  }
  return properties;
};
