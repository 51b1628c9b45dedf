import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listMember, objectMember } from '../../platform/rules/json/members.ts';
import type { OutputNames, ToolOutput } from '../tool-output.ts';
import { meantValues, namesValues } from '../frameworks/enum-names.ts';
import { commonType, readTypes, type TypeName, valuesOf } from '../json-schema/types.ts';
import { type FlatSchemas, refOf } from '../schema/flat-schema.ts';
import { sentences, shortened, tidyText, valueList } from '../schema/texts.ts';

/**
 * Output schema of a tool. In all versions of MCP results are objects: an answer that is an object is used as it is,
 * any other becomes a member. The service's own members have names that the API does not use.
 * @returns undefined if nothing is known about the answer
 * Source: MCP 2025-11-25, "Tools", "Output Schema"; docs/tools.md, "Structured output".
 */
export const toolOutput = (loosened: Loosened): ToolOutput | undefined => {
  const { shape, properties, description } = loosened;
  const others = shape.types.filter((type) => type !== 'object' && type !== 'null');
  const hasObjects = shape.types.includes('object');
  if (!hasObjects && others.length === 0) return undefined;

  const taken = new Set(hasObjects ? shape.properties.keys() : []);
  const result = others.length > 0 ? free('result', taken) : undefined;
  const names: OutputNames = {
    note: free('_note', taken),
    answer: free('_answer', taken),
    parts: free('_parts', taken),
  };
  const schema: JsonObject = {
    type: 'object',
    ...(hasObjects && description !== undefined && { description }),
    properties: {
      ...properties,
      ...(result !== undefined && { [result]: resultSchema(loosened, others) }),
      ...ownProperties(names),
    },
  };
  return {
    schema: JSON.stringify(schema),
    names,
    ...(result !== undefined && { result }),
    hasObjects,
  };
};

const resultSchema = (
  { description, items }: Loosened,
  types: AnswerShape['types'],
): JsonObject => ({
  type: [...types, 'null'],
  ...(description !== undefined && { description }),
  ...(items && { items }),
});

const ownProperties = ({ note, answer, parts }: OutputNames): Readonly<Record<string, Json>> => ({
  [note]: { type: 'string', description: 'Why the answer is not here as it is.' },
  [answer]: { description: 'An answer of another form.' },
  [parts]: {
    type: 'array',
    items: { type: 'string' },
    description: 'URIs of the rest of a long answer.',
  },
});

const free = (name: string, taken: ReadonlySet<string>): string => {
  let candidate = name;
  while (taken.has(candidate))
    candidate = `_hosted${candidate.startsWith('_') ? '' : '_'}${candidate}`;
  return candidate;
};

export interface OutputDetail {
  /** Levels of properties and items that are described. */
  readonly depth: number;
  readonly text: number;
  readonly values: number;
}

export interface LooseningContext {
  readonly flats: Pick<FlatSchemas, 'target'>;
  readonly shapes: AnswerShapes;
  readonly allowsRefSiblings: boolean;
}

/** Names inherited from `Object.prototype`: some validators take them for members of any object. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Characters of the values that a description names. */
const MOST_NAMED = 300;

interface Loosening extends LooseningContext {
  readonly detail: OutputDetail;
  charactersLeft: number;
  readonly around: Set<Json>;
}

interface Loosened {
  readonly shape: AnswerShape;
  readonly properties: JsonObject;
  readonly items: JsonObject | undefined;
  readonly description: string | undefined;
}

/**
 * Schema of an answer that real answers do not violate: for each value its type or null, its children, and a
 * description. Nothing is required, excluded or referenced, and recursive parts are of any form, so that every
 * validator can compile it.
 * @returns undefined if it exceeds `maxCharacters`
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

/** Many APIs return null where another type is declared. */
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

/** Resolves a mere reference, so that recursion is recognized. */
export const meantBy = ({ flats, allowsRefSiblings }: LooseningContext, schema: Json): Json => {
  if (!isObject(schema)) return schema;
  const ref = refOf(schema, allowsRefSiblings);
  return ref === undefined ? schema : (flats.target(ref)?.schema ?? schema);
};

/** Structure of an answer, merged from several schemas. Nested schemas are unchanged. */
interface AnswerShape {
  /** Empty: any. */
  readonly types: readonly TypeName[];
  /** Each property with alternative schemas. */
  readonly properties: ReadonlyMap<string, readonly Json[]>;
  /** Alternative schemas of items; empty: unknown. */
  readonly items: readonly Json[];
  readonly description?: string;
  readonly values?: readonly Json[];
}

/** Limit for alternatives: what more of them have in common helps nobody. */
const MOST_ALTERNATIVES = 50;
/** More than ten times what the largest real description needs. */
const MOST_WORK = 1_000_000;

const ANY: AnswerShape = { types: [], properties: new Map(), items: [] };

type AnswerShapes = (schemas: readonly Json[]) => AnswerShape;

/**
 * Reads structures: compositions are merged, alternatives are combined to all of their types and properties. Each
 * schema is read once.
 * @param maxWork - properties and values merged for a whole description; beyond it everything is of any form, since a
 *   few schemas with many alternatives could take minutes
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
    // A recursive alternative adds nothing.
    if (seen.has(schema)) return [];
    seen.add(schema);
    const flat = flats.flat(schema);
    const own = ownShape(schema, flat);
    const further = listMember(flat, 'anyOf').flatMap((one) => alternatives(one, seen));
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
  const description = tidyText(flat, 'description');
  const values = namesValues(flat)
    ? meantValues(flat).map(([value, text]) =>
        text === undefined ? value : `${String(value)} (${text})`,
      )
    : valuesOf(flat);
  return {
    types: readTypes(flat),
    properties: new Map(
      Object.entries(objectMember(flat, 'properties')).flatMap(([name, property]) =>
        isLeftOut(flats, property) ? [] : [[name, [property]] as const],
      ),
    ),
    items: itemsOf(flat),
    ...(description !== undefined && { description }),
    ...(values && { values }),
  };
};

const isLeftOut = ({ flat }: Flats, property: Json): boolean => {
  if (!isObject(property)) return property === false;
  const { readOnly, writeOnly } = flat(property);
  return writeOnly === true && readOnly !== true;
};

/** With `prefixItems`, `items` describes only the rest of a list. */
const itemsOf = (flat: JsonObject): readonly Json[] => {
  const items = member(flat, 'items');
  return isObject(items) && member(flat, 'prefixItems') === undefined ? [items] : [];
};

/** Structure of a value that matches both (`allOf`). */
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

/** Structure of a value that matches any (`anyOf`). */
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
    // If one object may have any members, nothing is known about those of the others.
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

/** The description, if all that have one agree. */
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
