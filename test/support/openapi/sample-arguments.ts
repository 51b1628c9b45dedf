import type { Random } from '../random.ts';
import { type NumberRules, sampleNumber, sampleText, type TextRules } from './sample-scalars.ts';

/** A JSON Schema, as far as tools use it. */
interface Schema extends NumberRules, TextRules {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/** What a schema leaves open. */
interface Choices {
  /** Whether an optional property at this level is there. */
  readonly isGiven: (depth: number) => boolean;
  readonly isFurther: (depth: number) => boolean;
  readonly oneOf: <Item>(items: readonly Item[]) => Item | undefined;
  readonly length: (least: number, most: number) => number;
  readonly steps: () => number;
  /** @param argument - the one that the text stands in */
  readonly text: (argument: string) => string;
}

/** Optional properties are filled in down to this level; further down, as few as are needed. */
const LEVELS = 3;
const DEEPEST = 30;

const first = (levels: number): Choices => ({
  isGiven: (depth) => depth < levels,
  isFurther: () => false,
  oneOf: ([one]) => one,
  length: (least) => least,
  steps: () => 0,
  text: () => 'word',
});

/** The fewest arguments that a tool's `inputSchema` asks for; those that are objects are not empty. */
export const fewestArguments = (inputSchema: unknown): Record<string, unknown> =>
  sampleOf(inputSchema as Schema, first(0));

/** Every argument, with every property of it that does not lie too deep. */
export const allArguments = (inputSchema: unknown): Record<string, unknown> =>
  sampleOf(inputSchema as Schema, first(LEVELS));

/**
 * Any arguments that a tool's `inputSchema` allows, none of them empty and none `null`.
 *
 * @param text - a free text for the argument of this name
 */
export const randomArguments = (
  inputSchema: unknown,
  random: Random,
  text: (argument: string) => string,
): Record<string, unknown> =>
  sampleOf(inputSchema as Schema, {
    isGiven: (depth) => depth < LEVELS + 1 && !random.oneIn(3),
    isFurther: (depth) => depth > 0 && depth < LEVELS && random.oneIn(2),
    oneOf: (items) => (items.length === 0 ? undefined : random.pick(items)),
    length: (least, most) => least + random.below(Math.min(most - least, 2) + 1),
    steps: () => random.below(12),
    text,
  });

const sampleOf = (root: Schema, choices: Choices): Record<string, unknown> => {
  let argument = '';

  const at = (pointer: string): Schema =>
    pointer
      .slice(2)
      .split('/')
      .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((node: unknown, key) => (node as Record<string, unknown>)[key], root) as Schema;

  /** One schema without `$ref`, `allOf`, `anyOf` and `oneOf`; of alternatives one that is not null. */
  const flat = (schema: Schema): Schema => {
    const { $ref, allOf = [], anyOf, oneOf, ...rest } = schema;
    const choice = choices.oneOf((oneOf ?? anyOf ?? []).filter((one) => !isNull(one)));
    const parts = [
      ...($ref === undefined ? [] : [at($ref)]),
      ...allOf,
      ...(choice ? [choice] : []),
    ];
    return parts.map(flat).reduce(merged, rest);
  };
  const isNull = (schema: Schema): boolean =>
    schema.$ref === undefined ? schema.type === 'null' : isNull(at(schema.$ref));

  const value = (given: Schema | undefined, depth: number): unknown => {
    if (depth > DEEPEST) throw new Error('the schema needs values without an end');
    const schema = flat(given ?? {});
    if ('const' in schema) return schema.const;
    if (schema.enum) return choices.oneOf(schema.enum.filter((one) => one !== null));
    switch (typeOf(schema)) {
      case 'object':
        return object(schema, depth);
      case 'array':
        return array(schema, depth);
      case 'integer':
      case 'number':
        return sampleNumber(schema, choices.steps());
      case 'boolean':
        return choices.steps() % 2 === 0;
      case 'null':
        return null;
      default:
        return sampleText(schema, choices.text(argument));
    }
  };

  const object = (schema: Schema, depth: number): Record<string, unknown> => {
    const { properties = {}, required = [], minProperties = 0, additionalProperties } = schema;
    const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const optional = Object.keys(properties).filter(() => choices.isGiven(depth));
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    const further = isOpen && choices.isFurther(depth) ? ['further'] : [];
    const names = new Set([...required, ...optional, ...further]);
    const unknown = additionalProperties === false ? [] : ['a', 'b', 'c'];
    const least = depth === 1 ? Math.max(1, minProperties) : minProperties;
    for (const name of [...Object.keys(properties), ...unknown]) {
      if (names.size < least) names.add(name);
    }
    return Object.fromEntries(
      [...names].map((name) => {
        if (depth === 0) argument = name;
        if (isFileType(properties, name)) return [name, 'image/gif'];
        const described = Object.hasOwn(properties, name) ? properties[name] : others;
        return [name, value(described, depth + 1)];
      }),
    );
  };

  const array = (schema: Schema, depth: number): unknown[] => {
    const { items, prefixItems = [], minItems = 1, maxItems = Infinity, uniqueItems } = schema;
    const least = Math.max(1, minItems);
    const isShort = uniqueItems || depth > LEVELS;
    const length = choices.length(least, isShort ? least : maxItems);
    return Array.from({ length }, (_, index) => {
      const item = value(prefixItems[index] ?? items, depth + 1);
      return uniqueItems && index > 0 ? `${item}${index}` : item;
    });
  };

  return object(flat(root), 0);
};

/** No keyword can say that this text is a media type. */
const isFileType = (properties: Readonly<Record<string, Schema>>, name: string): boolean =>
  name === 'contentType' && properties['data']?.contentEncoding === 'base64';

const merged = (one: Schema, other: Schema): Schema => {
  const properties = { ...one.properties };
  for (const [name, schema] of Object.entries(other.properties ?? {})) {
    properties[name] = { ...(Object.hasOwn(properties, name) ? properties[name] : {}), ...schema };
  }
  return {
    ...one,
    ...other,
    ...((one.properties ?? other.properties) && { properties }),
    ...((one.required ?? other.required) && {
      required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
    }),
  };
};

const typeOf = ({ type, properties, items }: Schema): string => {
  const one = typeof type === 'string' ? type : type?.find((name) => name !== 'null');
  return one ?? (properties ? 'object' : items ? 'array' : 'string');
};
