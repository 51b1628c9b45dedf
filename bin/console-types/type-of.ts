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

/**
 * A TypeScript type of what a schema lets through; what only narrows (lengths, patterns) is left out.
 *
 * @throws Error for a keyword that would be needed and is not read
 */
export const typeOf = (schema: JsonSchema): string => {
  if (schema['$ref'] !== undefined) throw new Error(`a reference is not read: ${schema['$ref']}`);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ');
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
      return `readonly (${schema.items ? typeOf(schema.items) : 'unknown'})[]`;
    case 'object':
      return objectOf(schema);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`a type is not read: ${schema.type}`);
  }
};

const objectOf = ({ properties, required = [], additionalProperties }: JsonSchema): string => {
  const members = Object.entries(properties ?? {}).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    const text = schema['description'];
    const comment = typeof text === 'string' ? `/** ${text.replaceAll('*/', '* /')} */\n` : '';
    const undefinedToo = optional && ' | undefined';
    return `${comment}readonly ${keyOf(name)}${optional}: ${typeOf(schema)}${undefinedToo};`;
  });
  if (members.length > 0) return `{\n${members.join('\n')}\n}`;
  const values =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? typeOf(additionalProperties)
      : 'unknown';
  return `Readonly<Record<string, ${values}>>`;
};

const keyOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name));
