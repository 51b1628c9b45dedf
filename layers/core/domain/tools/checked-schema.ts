import { boundedPattern, namePatterns } from './bounded-pattern.ts';
import { isObject, type JsonObject, resolve } from './json.ts';
import type { Schema } from './shape.ts';

/** Schemas that one check may still apply. Checking beyond it throws `BudgetSpent`. */
export interface Budget {
  left: number;
  /** What a pattern for names costs: as much as there is to read in the names of one object, at most. */
  named: number;
}

export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** Formats whose meaning is beyond doubt; others are for people to read. */
const FORMATS: readonly unknown[] = ['date-time', 'date', 'uuid', 'ipv4', 'ipv6', 'email'];

const NUMBERS = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
];
const SCHEMAS = ['items', 'additionalProperties', 'propertyNames', 'contains'];
const LISTS = ['prefixItems', 'allOf', 'anyOf'];
const MAPS = ['$defs', 'properties', 'dependentSchemas'];

/** Of one tool: to make a pattern ready takes longer than to try it. Those beyond are the target's to check. */
const MOST_PATTERNS = 4000;
/** Checking a pattern that is not linear weighs as much as this many schemas. */
const PATTERN_WEIGHT = 200;

/**
 * A tool's schema as the validation library may have it: only the keywords that are checked, each
 * bounded in what it can cost, and a count of every schema that is applied. The schema comes from the
 * owner of a description, the value from a caller; together they must not be able to hold a router.
 *
 * Alternatives of a `oneOf` may overlap: that is a flaw of the description, and the target decides.
 * `uniqueItems` is checked elsewhere, in linear time.
 *
 * @param files - whether a string of base64 may also be sent as an object that names the file
 */
export const checkedSchema = (root: Schema, budget: Budget, files: boolean): Schema => {
  const counted = Object.create(null, {
    // The library reads every keyword of each schema it applies, this one too, which nothing uses.
    $recursiveAnchor: {
      get(this: { weight?: number; patterns?: number }) {
        budget.left -= (this.weight ?? 1) + (this.patterns ?? 0) * budget.named;
        if (budget.left < 0) throw new BudgetSpent();
        return undefined;
      },
    },
  }) as object;

  let patternsLeft = MOST_PATTERNS;
  const copy = (schema: unknown): Schema | boolean => {
    if (!isObject(schema)) return schema !== false;
    const checked = Object.create(counted) as Record<string, unknown>;
    let weight = 1;

    const { type, const: value, enum: values, required, format, pattern, $ref } = schema;
    if (typeof type === 'string' || Array.isArray(type)) checked['type'] = type;
    if (value !== undefined) checked['const'] = value;
    if (Array.isArray(values)) {
      checked['enum'] = values;
      weight += values.length >> 4;
    }
    if (Array.isArray(required)) checked['required'] = required;
    if (FORMATS.includes(format)) checked['format'] = format;
    const isTried = typeof pattern === 'string' && (patternsLeft -= 1) >= 0;
    const bounded = isTried ? boundedPattern(pattern) : undefined;
    if (bounded) {
      checked['pattern'] = bounded.source;
      if (!bounded.linear) weight += PATTERN_WEIGHT;
    }
    if (typeof $ref === 'string' && isObject(resolve(root, $ref))) checked['$ref'] = $ref;
    for (const keyword of NUMBERS) {
      if (typeof schema[keyword] === 'number') checked[keyword] = schema[keyword];
    }
    if (isObject(schema['dependentRequired'])) {
      checked['dependentRequired'] = schema['dependentRequired'];
    }

    const conditions = [
      ...(isWhole(schema['not']) ? ['not'] : []),
      ...(isWhole(schema['if']) ? ['if', 'then', 'else'] : []),
    ];
    for (const keyword of [...SCHEMAS, ...conditions]) {
      if (schema[keyword] !== undefined) checked[keyword] = copy(schema[keyword]);
    }
    for (const keyword of LISTS) {
      if (Array.isArray(schema[keyword])) checked[keyword] = schema[keyword].map(copy);
    }
    if (Array.isArray(schema['oneOf'])) {
      const overlapping = { anyOf: schema['oneOf'] };
      if (checked['anyOf'] === undefined) checked['anyOf'] = schema['oneOf'].map(copy);
      else checked['allOf'] = [...listOf(checked['allOf']), copy(overlapping)];
    }
    for (const keyword of MAPS) {
      if (isObject(schema[keyword])) checked[keyword] = mapped(schema[keyword], copy);
    }
    const patterns = schema['patternProperties'];
    if (isObject(patterns)) {
      patternsLeft -= Object.keys(patterns).length;
      const known = patternsLeft >= 0 ? namePatterns(patterns) : undefined;
      Object.assign(checked, patternProperties(known, copy));
    }

    if (files && isFile(schema)) acceptFile(checked);
    Object.defineProperty(checked, 'weight', { value: weight });
    const named = checked['patternProperties'];
    Object.defineProperty(checked, 'patterns', {
      value: isObject(named) ? Object.keys(named).length : 0,
    });
    return checked;
  };

  return copy(root) as Schema;
};

/** Whether a schema stands for bytes, which arguments carry as base64. */
export const isFile = (schema: Schema): boolean => schema['contentEncoding'] === 'base64';

const ANNOTATIONS = ['title', 'description', 'default', 'examples'];

const PLAIN: ReadonlySet<string> = new Set(
  ['type', 'const', 'enum', 'required'].concat(NUMBERS, ANNOTATIONS),
);

/**
 * Whether the copy of a schema checks all that the schema says. Where a schema is negated or decides
 * between others, a copy that checks less would refuse more.
 */
const isWhole = (schema: unknown): boolean =>
  isObject(schema) &&
  Object.entries(schema).every(([keyword, value]) => {
    if (keyword === 'properties') return isObject(value) && Object.values(value).every(isWhole);
    if (keyword === 'allOf' || keyword === 'anyOf') return listOf(value).every(isWhole);
    return PLAIN.has(keyword) || ((keyword === 'items' || keyword === 'not') && isWhole(value));
  });

const acceptFile = (checked: Record<string, unknown>): void => {
  checked['type'] = ['string', 'object'];
};

const mapped = (map: JsonObject, copy: (schema: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(map).map(([key, schema]) => [key, copy(schema)]));

const listOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);

const patternProperties = (
  bounded: ReturnType<typeof namePatterns>,
  copy: (schema: unknown) => unknown,
): Record<string, unknown> => {
  if (!bounded) return { additionalProperties: true };
  return {
    patternProperties: Object.fromEntries(
      bounded.map(([source, schema]) => [source, copy(schema)]),
    ),
  };
};
