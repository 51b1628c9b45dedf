import * as fc from 'fast-check';

/** A JSON Schema, as far as tools use it. */
interface Schema {
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
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly contentEncoding?: string;
}

/** Optional properties are filled in down to this level; further down, as few as are needed. */
const LEVELS = 3;
const DEEPEST = 30;

/** The fewest arguments that a tool's `inputSchema` asks for; those that are objects are not empty. */
export const fewestArguments = (inputSchema: unknown): Record<string, unknown> =>
  sampleOf(inputSchema as Schema, 0);

/** Every argument, with every property of it that does not lie too deep. */
export const allArguments = (inputSchema: unknown): Record<string, unknown> =>
  sampleOf(inputSchema as Schema, LEVELS);

/** @param levels - on which optional properties are filled in, from the root down */
const sampleOf = (root: Schema, levels: number): Record<string, unknown> => {
  const at = (pointer: string): Schema =>
    pointer
      .slice(2)
      .split('/')
      .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((node: unknown, key) => (node as Record<string, unknown>)[key], root) as Schema;

  /** One schema without `$ref`, `allOf`, `anyOf` and `oneOf`; of alternatives the first that is not null. */
  const flat = (schema: Schema): Schema => {
    const { $ref, allOf = [], anyOf, oneOf, ...rest } = schema;
    const choice = (oneOf ?? anyOf)?.find((one) => flat(one).type !== 'null');
    const parts = [
      ...($ref === undefined ? [] : [at($ref)]),
      ...allOf,
      ...(choice ? [choice] : []),
    ];
    return parts.map(flat).reduce(merged, rest);
  };

  const value = (given: Schema | undefined, depth: number): unknown => {
    if (depth > DEEPEST) throw new Error('the schema needs values without an end');
    const schema = flat(given ?? {});
    if ('const' in schema) return schema.const;
    if (schema.enum) return schema.enum.find((one) => one !== null);
    switch (typeOf(schema)) {
      case 'object':
        return object(schema, depth);
      case 'array':
        return array(schema, depth);
      case 'integer':
      case 'number':
        return number(schema);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return text(schema);
    }
  };

  const object = (schema: Schema, depth: number): Record<string, unknown> => {
    const { properties = {}, required = [], minProperties = 0, additionalProperties } = schema;
    const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const optional = depth < levels ? Object.keys(properties) : [];
    const names = new Set([...required, ...optional]);
    const least = depth === 1 ? Math.max(1, minProperties) : minProperties;
    for (const name of [...Object.keys(properties), 'a', 'b', 'c']) {
      if (names.size < least) names.add(name);
    }
    return Object.fromEntries(
      [...names].map((name) => [name, value(properties[name] ?? others, depth + 1)]),
    );
  };

  const array = ({ items, minItems = 1, uniqueItems }: Schema, depth: number): unknown[] =>
    Array.from({ length: Math.max(1, minItems) }, (_, index) => {
      const item = value(items, depth + 1);
      return uniqueItems && index > 0 ? `${item}${index}` : item;
    });

  return object(flat(root), 0);
};

const merged = (one: Schema, other: Schema): Schema => {
  const properties = { ...one.properties };
  for (const [name, schema] of Object.entries(other.properties ?? {})) {
    properties[name] = { ...properties[name], ...schema };
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

const number = ({ minimum, exclusiveMinimum, maximum, multipleOf = 1 }: Schema): number => {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const wanted = minimum === undefined ? Math.min(least, maximum ?? least) : least;
  return Math.ceil(wanted / multipleOf) * multipleOf;
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  email: 'a@example.com',
  uri: 'https://example.com/a',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
};

const text = (schema: Schema): string => {
  const { pattern, format = '', minLength = 0, maxLength = Infinity } = schema;
  if (schema.contentEncoding === 'base64') return 'aGVsbG8=';
  if (pattern !== undefined) return matching(pattern, Math.max(1, minLength), maxLength);
  return (FORMATS[format] ?? 'a b').padEnd(minLength, 'x').slice(0, Math.max(1, maxLength));
};

const found = new Map<string, string>();

const matching = (pattern: string, minLength: number, maxLength: number): string => {
  const known = found.get(pattern);
  if (known !== undefined && known.length >= minLength && known.length <= maxLength) return known;
  const texts = fc
    .stringMatching(new RegExp(pattern, 'u'))
    .filter(({ length }) => length >= minLength && length <= maxLength);
  const [sample = ''] = fc.sample(texts, { numRuns: 1, seed: 1 });
  found.set(pattern, sample);
  return sample;
};
