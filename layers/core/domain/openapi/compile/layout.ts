import type { Json, JsonObject } from '../document.ts';
import { joined, type LinkedSchema, partsOf } from './linked-schema.ts';
import { definitionName, propertyNameWithHash } from './names.ts';
import type { Schemas } from './schemas.ts';
import { listed, sentences, shortened } from './texts.ts';

/** How much of a tool is written. */
export interface Detail {
  /** Characters of descriptions: the tool's, an argument's, anything further inside. */
  readonly tool: number;
  readonly argument: number;
  readonly nested: number;
  readonly examples: boolean;
  /** How deep schemas are written; what is deeper is cut with a note. */
  readonly depth: number;
  /** The longest `enum`; a longer one is told in words. */
  readonly values: number;
}

export interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly schema: LinkedSchema;
}

export interface LaidOut {
  readonly inputSchema: JsonObject;
  /** See `Operation.wireNames`. */
  readonly wireNames: Readonly<Record<string, string>>;
  /** Whether anything but texts and examples had to be left out. */
  readonly isCut: boolean;
}

export interface Space {
  /** Characters of JSON, roughly. */
  readonly max: number;
  /** Which components stand once under `$defs` instead of wherever they are used. */
  readonly isDefined: (ref: string) => boolean;
}

/** References in a row count a little, so that a chain of thousands ends. */
const HOP = 1 / 64;

/**
 * Lays the arguments of one tool out as its `inputSchema`.
 *
 * @returns undefined if that takes more than `space.max`
 */
export const layOut = (
  schemas: Pick<Schemas, 'component'>,
  args: readonly Argument[],
  detail: Detail,
  space: Space,
): LaidOut | undefined => {
  const wireNames: Record<string, string> = {};
  const definitions = new Map<string, string>();
  const open: { readonly ref: string; readonly name: string; readonly depth: number }[] = [];
  let spent = 0;
  let isCut = false;

  const write = (schema: LinkedSchema, at: string, depth: number): JsonObject => {
    if (spent > space.max) return {};
    if (schema.ref !== undefined) return writeReference(schema, schema.ref, at, depth);
    const parts = depth > detail.depth ? [] : partsOf(schema);
    const isCutHere = parts.length === 0 && partsOf(schema).length > 0;
    const own = isCutHere ? stub(schema, depth) : ownKeywords(schema, depth);
    spent += JSON.stringify(own).length;
    if (!isCutHere) return { ...own, ...writeParts(schema, at, depth) };
    isCut = true;
    return own;
  };

  const writeReference = (
    schema: LinkedSchema,
    ref: string,
    at: string,
    depth: number,
  ): JsonObject => {
    const target = schemas.component(ref);
    const isDefined = depth <= detail.depth && space.isDefined(ref);
    if (!isDefined) return write(joined(schema, target), at, depth + HOP);
    const reference = { $ref: `#/$defs/${define(ref, depth)}` };
    const own = ownKeywords(schema, depth);
    spent += JSON.stringify([own, reference]).length;
    // Some model APIs allow nothing beside `$ref`.
    return Object.keys(own).length > 0 ? { ...own, anyOf: [reference] } : reference;
  };

  const define = (ref: string, depth: number): string => {
    const before = definitions.get(ref);
    if (before !== undefined) return before;
    const plain = definitionName(ref);
    const isTaken = [...definitions.values()].includes(plain);
    const name = isTaken ? propertyNameWithHash(plain, ref) : plain;
    definitions.set(ref, name);
    open.push({ ref, name, depth });
    return name;
  };

  const writeParts = (schema: LinkedSchema, at: string, depth: number): JsonObject => {
    const { properties = [], one = {}, many = {}, patternProperties = [] } = schema;
    const inside = (part: LinkedSchema, ...keys: readonly (string | number)[]) =>
      write(part, [at, ...keys].join('/'), depth + 1);

    for (const { name, wireName } of properties) {
      if (name !== wireName) wireNames[`${at}/properties/${name}`] = wireName;
      spent += name.length + 4;
    }
    return {
      ...(properties.length > 0
        ? {
            properties: mapped(properties, ({ name, schema: part }) => [
              name,
              inside(part, 'properties', name),
            ]),
          }
        : {}),
      ...(patternProperties.length > 0
        ? {
            patternProperties: mapped(patternProperties, ([pattern, part]) => [
              pattern,
              inside(part, 'patternProperties', escaped(pattern)),
            ]),
          }
        : {}),
      ...mapped(Object.entries(one), ([keyword, part]) => [keyword, inside(part, keyword)]),
      ...mapped(Object.entries(many), ([keyword, list]) => [
        keyword,
        list.map((part, index) => inside(part, keyword, index)),
      ]),
    };
  };

  const ownKeywords = (schema: LinkedSchema, depth: number): JsonObject => {
    const { type, enum: values, ...others } = schema.keywords;
    const isLong = Array.isArray(values) && values.length > detail.values;
    if (isLong) isCut = true;
    const valueNote = isLong ? `One of ${values.length} values: ${listed(values, 8)}.` : undefined;
    const description = describe(schema, depth, valueNote);
    return {
      ...(type === undefined ? {} : { type }),
      ...(description === undefined ? {} : { description }),
      ...(values === undefined || isLong ? {} : { enum: values }),
      ...others,
      ...(schema.example !== undefined && detail.examples ? { examples: [schema.example] } : {}),
    };
  };

  /** The outside of a schema that is too deep: its type, and that there is more. */
  const stub = (schema: LinkedSchema, depth: number): JsonObject => {
    const { type } = schema.keywords;
    const description = describe(schema, depth, 'What is inside is left out here.');
    return {
      ...(type === undefined ? {} : { type }),
      ...(description === undefined ? {} : { description }),
      ...([type].flat().includes('array') ? { items: {} } : {}),
    };
  };

  const describe = (schema: LinkedSchema, depth: number, more?: string): string | undefined => {
    const most = depth < 1 ? detail.argument : detail.nested;
    const text = schema.description === undefined ? '' : shortened(schema.description, most);
    return sentences(text, ...(schema.notes ?? []), more);
  };

  const properties = mapped(args, ({ name, schema }) => [
    name,
    write(schema, `/properties/${name}`, 0),
  ]);
  const defined: Record<string, Json> = {};
  for (let next = open.shift(); next; next = open.shift()) {
    const { ref, name, depth } = next;
    defined[name] = write(schemas.component(ref), `/$defs/${name}`, depth);
  }
  if (spent > space.max) return undefined;

  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  return {
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(definitions.size > 0 ? { $defs: defined } : {}),
    },
    wireNames,
    isCut,
  };
};

const mapped = <Item>(
  items: readonly Item[],
  entry: (item: Item) => readonly [string, Json],
): JsonObject => Object.fromEntries(items.map(entry));

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
