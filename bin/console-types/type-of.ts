/** A JSON Schema of dialect 2020-12, as zod writes them. */
export type JsonSchema = Readonly<Record<string, unknown>> & {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
};

export interface Types {
  /** The type of a schema; what only narrows (lengths, patterns) is left out. */
  readonly of: (schema: JsonSchema) => string;
  /** The objects that stand in several places, written once each. */
  readonly aliases: readonly string[];
}

/**
 * TypeScript types of what schemas let through.
 *
 * @param roots - the schemas that types are made of, each with a name for its type
 * @throws Error for a keyword that would be needed and is not read
 */
export const typesOf = (roots: readonly (readonly [name: string, schema: JsonSchema])[]): Types => {
  const names = namesOf(roots);
  const of = (schema: JsonSchema): string =>
    typeOf(schema, (object) => names.get(membersOf(object, inline)) ?? membersOf(object, of));
  const aliases = new Map<string, string>();
  for (const object of roots.flatMap(([, schema]) => objectsIn(schema))) {
    const name = names.get(membersOf(object, inline));
    if (name !== undefined) aliases.set(name, `type ${name} = ${membersOf(object, of)};`);
  }
  return { of, aliases: [...aliases.values()] };
};

/** Names of the objects that stand in two places or more, by their text. */
const namesOf = (
  roots: readonly (readonly [name: string, schema: JsonSchema])[],
): ReadonlyMap<string, string> => {
  const places = new Map<string, Set<string>>();
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const note = (schema: JsonSchema, place: string, name: string): void =>
    void typeOf(schema, (object) => {
      const text = membersOf(object, inline);
      places.set(text, (places.get(text) ?? new Set()).add(place));
      if (!names.has(text)) {
        // Objects that are choices of one schema stand in one place.
        let free = name;
        for (let n = 2; taken.has(free); n += 1) free = `${name}${n}`;
        taken.add(free);
        names.set(text, free);
      }
      for (const [key, one] of Object.entries(object.properties ?? {})) {
        note(one, `${text} ${key}`, name + titled(key));
      }
      return text;
    });
  for (const [name, schema] of roots) note(schema, name, name);
  return new Map([...names].filter(([text]) => (places.get(text)?.size ?? 0) > 1));
};

const titled = (name: string): string =>
  name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** Every object with properties in a schema, the outermost first. */
const objectsIn = (schema: JsonSchema): readonly JsonSchema[] => {
  const found: JsonSchema[] = [];
  typeOf(schema, (object) => {
    found.push(object, ...Object.values(object.properties ?? {}).flatMap(objectsIn));
    return '';
  });
  return found;
};

const inline = (schema: JsonSchema): string =>
  typeOf(schema, (object) => membersOf(object, inline));

const typeOf = (schema: JsonSchema, objectOf: (object: JsonSchema) => string): string => {
  const of = (one: JsonSchema): string => typeOf(one, objectOf);
  if (schema['$ref'] !== undefined) throw new Error(`a reference is not read: ${schema['$ref']}`);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(of))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${of(one)})`).join(' & ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly (${schema.items ? of(schema.items) : 'unknown'})[]`;
    case 'object': {
      if (Object.keys(schema.properties ?? {}).length > 0) return objectOf(schema);
      const values = schema.additionalProperties;
      const isNarrow = typeof values === 'object' && Object.keys(values).length > 0;
      return `Readonly<Record<string, ${isNarrow ? of(values) : 'unknown'}>>`;
    }
    case undefined:
      return 'unknown';
    default:
      throw new Error(`a type is not read: ${schema.type}`);
  }
};

const membersOf = (
  { properties = {}, required = [] }: JsonSchema,
  typeOf: (schema: JsonSchema) => string,
): string => {
  const members = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    const text = schema['description'];
    const comment = typeof text === 'string' ? `/** ${text.replaceAll('*/', '* /')} */\n` : '';
    const undefinedToo = optional && ' | undefined';
    return `${comment}readonly ${keyOf(name)}${optional}: ${typeOf(schema)}${undefinedToo};`;
  });
  return `{\n${members.join('\n')}\n}`;
};

const keyOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name));
