import type { Json, JsonObject } from '../document.ts';
import { inContext } from './in-context.ts';
import { joined, type LinkedSchema, partsOf, typesOf } from './linked-schema.ts';
import { definitionName, propertyNameWithHash } from './names.ts';
import type { Schemas } from './schemas.ts';
import { listed, sentences, shortened } from './texts.ts';
import type { TypeName } from './types.ts';

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

  /** @param context - the types of the schema that this one is an alternative or a part of */
  const write = (
    schema: LinkedSchema,
    at: string,
    depth: number,
    context: readonly TypeName[] = [],
  ): JsonObject => {
    if (spent > space.max) return {};
    if (schema.ref !== undefined) return writeReference(schema, schema.ref, at, depth);
    const isCutHere = depth > detail.depth && partsOf(schema).length > 0;
    const own = isCutHere ? stub(schema, depth) : ownKeywords(schema, depth);
    spent += JSON.stringify(own).length;
    if (!isCutHere) return { ...own, ...writeParts(schema, at, depth, context) };
    isCut = true;
    return own;
  };

  const isDefined = (ref: string, depth: number): boolean =>
    depth <= detail.depth && space.isDefined(ref);

  const writeReference = (
    schema: LinkedSchema,
    ref: string,
    at: string,
    depth: number,
  ): JsonObject => {
    const target = schemas.component(ref);
    if (!isDefined(ref, depth)) return write(joined(schema, target), at, depth + HOP);
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

  /** The members of an `anyOf` or `allOf` that are possible beside the types around them. */
  const possible = (
    list: readonly LinkedSchema[],
    depth: number,
    types: readonly TypeName[],
  ): readonly LinkedSchema[] =>
    list.flatMap((part) => {
      let opened = part;
      while (opened.ref !== undefined && !isDefined(opened.ref, depth)) {
        opened = joined(opened, schemas.component(opened.ref));
      }
      return opened.ref === undefined ? (inContext(opened, types) ?? []) : opened;
    });

  const writeParts = (
    schema: LinkedSchema,
    at: string,
    depth: number,
    context: readonly TypeName[],
  ): JsonObject => {
    const { properties = [], one = {}, many = {}, patternProperties = [] } = schema;
    const own = typesOf(schema);
    const types = own.length > 0 ? own : context;
    const inside = (part: LinkedSchema, ...keys: readonly (string | number)[]) =>
      write(part, [at, ...keys].join('/'), depth + 1);
    const compositions = [many.anyOf, many.allOf].map((list = []) =>
      possible(list, depth + 1, types),
    );

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
      ...(many.prefixItems
        ? { prefixItems: many.prefixItems.map((part, index) => inside(part, 'prefixItems', index)) }
        : {}),
      ...mapped(
        compositions
          .map((list, index) => [index === 0 ? 'anyOf' : 'allOf', list] as const)
          .filter(([, list]) => list.length > 0),
        ([keyword, list]) => [
          keyword,
          list.map((part, index) => write(part, `${at}/${keyword}/${index}`, depth + 1, types)),
        ],
      ),
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
