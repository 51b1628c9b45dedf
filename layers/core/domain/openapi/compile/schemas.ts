import { type Description, isObject, type Json, type JsonObject, member } from '../document.ts';
import { alternativesOf } from './alternatives.ts';
import { type FlatSchemas, flatSchemas, isAnnotation } from './flat-schema.ts';
import { ANYTHING, type LinkedProperty, type LinkedSchema } from './linked-schema.ts';
import { isPropertyName, propertyName, propertyNameWithHash } from './names.ts';
import { safePattern } from './pattern.ts';
import { defaultOf, scalarKeywords } from './scalar-keywords.ts';
import { listed, shortened, textOf } from './texts.ts';
import { isNullable, readTypes, type TypeName } from './types.ts';

/** The schemas of one description, as a request needs them. Each is translated once. */
export interface Schemas {
  readonly linked: (schema: Json | undefined) => LinkedSchema;
  /** The same, but never a reference: what the schema is made of. */
  readonly opened: (schema: Json | undefined) => LinkedSchema;
  /** What a reference of a linked schema stands for. */
  readonly component: (ref: string) => LinkedSchema;
  /** A schema's own keywords with `$ref` and `allOf` merged into them, still as the description has them. */
  readonly flat: FlatSchemas['flat'];
}

const MAX_EXAMPLE = 120;
const MAX_NAMED_KINDS = 20;

/** Rules that no model API understands, and that renamed or left out properties would falsify. */
const RULES_IN_WORDS =
  'not if contains propertyNames dependentRequired dependentSchemas dependencies'.split(' ');

/** Source: tools.md, "inputSchema". */
export const schemasOf = ({ root, dialect }: Description): Schemas => {
  const siblingsCount = dialect === 'openapi-3.1' || dialect === 'openapi-3.2';
  const flats = flatSchemas(root, siblingsCount);
  const known = new Map<JsonObject, LinkedSchema>();
  const knownOpened = new Map<JsonObject, LinkedSchema>();
  const components = new Map<string, LinkedSchema>();
  /** The component being translated, which `$dynamicRef` and its elders mean by `#`. */
  let current: string | undefined;

  const linked = (schema: Json | undefined): LinkedSchema => {
    if (!isObject(schema)) return ANYTHING;
    const before = known.get(schema);
    if (before) return before;
    // Until it is translated, what leads back to it from inside sees a reference.
    const ref = `#/recursion/Part${known.size}`;
    known.set(schema, { ref, keywords: {} });
    const made = reference(schema) ?? opened(schema);
    known.set(schema, made);
    components.set(ref, made);
    return made;
  };

  const opened = (schema: Json | undefined): LinkedSchema => {
    if (!isObject(schema)) return ANYTHING;
    const before = knownOpened.get(schema);
    if (before) return before;
    const made = translated(schema, flats.flat(schema));
    knownOpened.set(schema, made);
    return made;
  };

  const component = (ref: string): LinkedSchema => {
    const before = components.get(ref);
    if (before) return before;
    const outer = current;
    current = ref;
    const made = linked(flats.target(ref)?.schema);
    current = outer;
    components.set(ref, made);
    return made;
  };

  /** The schema as a reference with texts of its own, if it is no more than that. */
  const reference = (schema: JsonObject): LinkedSchema | undefined => {
    const ref = refOf(schema, siblingsCount) ?? dynamicRef(schema, current);
    const target = ref === undefined ? undefined : flats.target(ref);
    if (!target || !isObject(target.schema) || flats.leadsBack(schema, target.schema))
      return undefined;
    const texts = annotationsOf(schema, readTypes(flats.flat(target.schema)));
    if (!isNullable(schema)) return { ref: target.ref, ...texts };
    const nothing = { keywords: { type: 'null' } };
    return { ...texts, many: { anyOf: [{ ref: target.ref, keywords: {} }, nothing] } };
  };

  const translated = (origin: JsonObject, flat: JsonObject): LinkedSchema => {
    const choice = alternativesOf(flat, (alternative) =>
      flats.alternativeLeadsBack(alternative, origin),
    );
    if (choice.only) {
      const { anyOf: _, ...rest } = flat;
      const nullable = choice.orNull ? { nullable: true } : {};
      return translated(
        origin,
        flats.flat({ ...rest, ...nullable, allOf: [...leftover(rest), choice.only] }),
      );
    }
    const schema: JsonObject = { ...flat, ...choice.values };
    const types = readTypes(schema);
    const scalars = scalarKeywords(schema, types);
    const texts = annotationsOf(schema, types);
    const object = types.includes('object')
      ? objectPart(schema, choice.anyOf.length > 0)
      : undefined;
    const array = types.includes('array') ? arrayPart(schema) : undefined;
    const anyOf = choice.anyOf.map(labelled);
    const allOf = leftover(schema)
      .map(linked)
      .filter((part) => part !== ANYTHING);
    const notes = [
      ...(texts.notes ?? []),
      ...scalars.notes,
      ...choice.notes,
      ...(object?.notes ?? []),
      ...rulesInWords(schema),
    ];
    return {
      ...texts,
      ...object?.schemas,
      ...(notes.length > 0 ? { notes } : {}),
      keywords: { ...scalars.keywords, ...object?.keywords, ...array?.keywords },
      ...(object?.one || array?.one ? { one: { ...object?.one, ...array?.one } } : {}),
      many: {
        ...array?.many,
        ...(anyOf.length > 0 ? { anyOf } : {}),
        ...(allOf.length > 0 ? { allOf } : {}),
      },
    };
  };

  /** The title of an alternative often says best which one it is; elsewhere titles repeat names. */
  const labelled = (alternative: Json): LinkedSchema => {
    const schema = linked(alternative);
    const title = isObject(alternative) ? textOf(alternative, 'title') : undefined;
    return title === undefined ? schema : { description: title, ...schema };
  };

  const objectPart = (schema: JsonObject, hasAlternatives: boolean) => {
    const given = member(schema, 'properties');
    const entries = isObject(given) ? Object.entries(given) : [];
    const kept = entries.filter(([, property]) => !isLeftOut(property));
    const leftOut = new Set(
      entries.filter(([, property]) => isLeftOut(property)).map(([name]) => name),
    );
    const required = requiredOf(schema, kept).filter((name) => !leftOut.has(name));

    // A name that is required but nowhere described is a property all the same.
    const described = new Set(kept.map(([name]) => name));
    const bare = required.filter((name) => !described.has(name)).map((name) => [name, {}] as const);
    const properties = named([...kept, ...bare]);
    const nameOf = new Map(properties.map(({ wireName, name }) => [wireName, name]));

    const further = member(schema, 'additionalProperties');
    const patterns = patternPropertiesOf(schema);
    // Alternatives may bring properties that a closed object would refuse.
    const isClosed =
      (further === false || member(schema, 'unevaluatedProperties') === false) &&
      !hasAlternatives &&
      leftover(schema).length === 0 &&
      patterns.every(([pattern]) => pattern !== undefined);
    const isFree = further === true || (isObject(further) && Object.keys(further).length === 0);
    const safePatterns = patterns.flatMap(([pattern, part]) =>
      pattern === undefined ? [] : [[pattern, linked(part)] as const],
    );

    return {
      keywords: {
        ...(required.length > 0
          ? { required: required.map((name) => nameOf.get(name) ?? name) }
          : {}),
        ...(isClosed ? { additionalProperties: false } : {}),
        ...(isFree ? { additionalProperties: true } : {}),
      },
      one: isObject(further) && !isFree ? { additionalProperties: linked(further) } : undefined,
      schemas: {
        ...(properties.length > 0 ? { properties } : {}),
        ...(safePatterns.length > 0 ? { patternProperties: safePatterns } : {}),
      },
      notes: discriminatorNote(schema),
    };
  };

  const named = (entries: readonly (readonly [string, Json])[]): readonly LinkedProperty[] => {
    const literal = new Set(entries.map(([wireName]) => wireName).filter(isPropertyName));
    const taken = new Set(literal);
    return entries.map(([wireName, property]) => {
      const wanted = propertyName(wireName);
      const isFree = wanted === wireName || !taken.has(wanted);
      const name = isFree ? wanted : propertyNameWithHash(wireName);
      taken.add(name);
      return { name, wireName, schema: linked(property) };
    });
  };

  /** The API sets these itself, or nothing can be valid there. */
  const isLeftOut = (property: Json): boolean => {
    if (property === false) return true;
    if (!isObject(property)) return false;
    const flat = flats.flat(property);
    return member(flat, 'readOnly') === true && member(flat, 'writeOnly') !== true;
  };

  const arrayPart = (schema: JsonObject) => {
    const items = member(schema, 'items');
    const first = member(schema, 'prefixItems');
    // Before 2020-12 a list of `items` was what `prefixItems` is now.
    const prefix = [first, items].find((list) => Array.isArray(list)) ?? [];
    return {
      keywords: items === false && prefix.length > 0 ? { maxItems: prefix.length } : {},
      one: { items: linked(Array.isArray(items) ? true : items) },
      many: prefix.length > 0 ? { prefixItems: prefix.map(linked) } : undefined,
    };
  };

  return { linked, opened, component, flat: flats.flat };
};

/** The reference, if the schema has besides it nothing but texts. */
const refOf = (schema: JsonObject, siblingsCount: boolean): string | undefined => {
  const ref = member(schema, '$ref');
  if (typeof ref === 'string') {
    const isAlone = Object.keys(schema).every((key) => key === '$ref' || isAnnotation(key));
    return isAlone || !siblingsCount ? ref : undefined;
  }
  // The common way to give a reference a description in OpenAPI 3.0.
  const single = ['allOf', 'oneOf', 'anyOf'].filter((keyword) => Object.hasOwn(schema, keyword));
  const [keyword] = single;
  const list = keyword === undefined ? undefined : member(schema, keyword);
  const [only] = Array.isArray(list) && list.length === 1 ? list : [];
  const isWrapper =
    single.length === 1 &&
    Object.keys(schema).every(
      (key) => key === keyword || isAnnotation(key) || key === 'discriminator',
    );
  const inner =
    isWrapper && isObject(only) && Object.keys(only).length === 1 ? only['$ref'] : undefined;
  return typeof inner === 'string' ? inner : undefined;
};

/** `$dynamicRef` (2020-12) and `$recursiveRef` (2019-09) are used for one thing: the component itself. */
const dynamicRef = (schema: JsonObject, current: string | undefined): string | undefined =>
  ['$dynamicRef', '$recursiveRef'].some((keyword) => typeof member(schema, keyword) === 'string')
    ? current
    : undefined;

/** What a schema or a parameter says in words, and its default. */
export const annotationsOf = (schema: JsonObject, types: readonly TypeName[]): LinkedSchema => {
  const description = textOf(schema, 'description');
  const example = exampleOf(schema);
  const value = defaultOf(schema, types);
  return {
    ...(description === undefined ? {} : { description }),
    ...(member(schema, 'deprecated') === true ? { notes: ['Deprecated.'] } : {}),
    ...(example === undefined ? {} : { example }),
    keywords: value === undefined ? {} : { default: value },
  };
};

const exampleOf = (schema: JsonObject): Json | undefined => {
  const many = member(schema, 'examples');
  const example = member(schema, 'example') ?? (Array.isArray(many) ? many[0] : undefined);
  if (example === undefined || example === null || example === '') return undefined;
  return JSON.stringify(example).length <= MAX_EXAMPLE ? example : undefined;
};

const leftover = (schema: JsonObject): readonly Json[] => {
  const allOf = member(schema, 'allOf');
  return Array.isArray(allOf) ? allOf : [];
};

/** Besides the list, a property may say itself that it is required, as in older descriptions. */
const requiredOf = (
  schema: JsonObject,
  properties: readonly (readonly [string, Json])[],
): readonly string[] => {
  const listedNames = member(schema, 'required');
  const own = properties.filter(
    ([, property]) => isObject(property) && property['required'] === true,
  );
  const names = Array.isArray(listedNames) ? listedNames : [];
  return [
    ...new Set([...names.filter((name) => typeof name === 'string'), ...own.map(([name]) => name)]),
  ];
};

const patternPropertiesOf = (schema: JsonObject) => {
  const patterns = member(schema, 'patternProperties');
  return isObject(patterns)
    ? Object.entries(patterns).map(([pattern, part]) => [safePattern(pattern), part] as const)
    : [];
};

const discriminatorNote = (schema: JsonObject): readonly string[] => {
  const discriminator = member(schema, 'discriminator');
  if (typeof discriminator === 'string') return [`${discriminator} tells which kind it is.`];
  const name = isObject(discriminator) ? textOf(discriminator, 'propertyName') : undefined;
  if (name === undefined || !isObject(discriminator)) return [];
  const mapping = member(discriminator, 'mapping');
  const kinds = isObject(mapping) ? `: ${listed(Object.keys(mapping), MAX_NAMED_KINDS)}` : '';
  return [`${shortened(`${name} tells which kind it is${kinds}`, 300)}.`];
};

const rulesInWords = (schema: JsonObject): readonly string[] => {
  const rules = RULES_IN_WORDS.filter((keyword) => Object.hasOwn(schema, keyword));
  return rules.length > 0 ? [`The API checks further rules (${rules.join(', ')}).`] : [];
};
