export interface ToolParameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The arguments that a tool's `inputSchema` describes, the required ones first. */
export const toolParameters = (inputSchema: unknown): readonly ToolParameter[] => {
  const { properties, required } = asObject(inputSchema);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(asObject(properties))
    .map(([name, schema]) => ({
      name,
      type: typeName(schema),
      required: needed.has(name),
      description: textOrEmpty(asObject(schema)['description']),
    }))
    .sort((one, other) => Number(other.required) - Number(one.required));
};

const MOST_CHOICES = 12;
const MOST_LEVELS = 4;

/** A schema in a few words: `integer`, `array of string`, `"a" or "b"`. */
const typeName = (schema: unknown, level = 0): string => {
  const { type, enum: choices, const: only, items, format, anyOf, oneOf, $ref } = asObject(schema);
  if (Array.isArray(choices)) return alternatives(choices.map((one) => JSON.stringify(one)));
  if (only !== undefined) return JSON.stringify(only);
  if (typeof $ref === 'string') return $ref.replace(/^.*\//, '');
  if (level === MOST_LEVELS) return 'any';
  const either = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(either)) {
    return alternatives([...new Set(either.map((one) => typeName(one, level + 1)))]);
  }
  if (type === 'array') return `array of ${typeName(items, level + 1)}`;
  if (Array.isArray(type)) return alternatives(type.map(String));
  if (typeof type !== 'string') return 'any';
  return typeof format === 'string' ? `${type} (${format})` : type;
};

const alternatives = (names: readonly string[]): string =>
  names.length > MOST_CHOICES
    ? `${names.slice(0, MOST_CHOICES).join(' or ')} or ${names.length - MOST_CHOICES} others`
    : names.join(' or ');

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
