import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { listMember, objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { pointerTo, resolveFragment } from '../../platform/rules/json/pointer.ts';
import type { Description } from '../document.ts';
import type { LinkedSchema } from './linked-schema.ts';
import { type FlatSchemas } from './flat-schema.ts';
import { shortened, tidyText, valueList } from './texts.ts';
import { valuesOf } from '../json-schema/types.ts';

/** A component whose `allOf` contains a schema with a discriminator. */
interface Subtype {
  readonly name: string;
  /** The component, restricted to its discriminator values. */
  readonly schema: JsonObject;
  /** Whether a mapping or `x-ms-discriminator-value` declares these values. */
  readonly hasValues: boolean;
}

/** Schemas with more subtypes only name them. */
const MOST_ALTERNATIVES = 20;
/** Per schema: otherwise many schemas could each list every component. */
const MOST_SUBTYPES = 100;

/**
 * Finds subtypes of a schema with a discriminator: components with it in their `allOf`, directly or indirectly, which
 * is the only form of inheritance in Swagger 2.0. Schemas with alternatives have no subtypes.
 * Source: Swagger 2.0, "Schema Object", `discriminator`; OpenAPI 3.1.1, "Discriminator Object".
 */
export const subtypeFinder = ({ root }: Description): ((schema: Json) => readonly Subtype[]) => {
  const known = new Map<JsonObject, readonly Subtype[]>();
  let subtypes: DirectSubtypes | undefined;

  return (base) => {
    const discriminator = isObject(base) ? discriminatorOf(base) : undefined;
    if (!isObject(base) || !discriminator) return [];
    subtypes ??= directSubtypes(root);
    const found = known.get(base) ?? allSubtypes(subtypes, base).map(withValues(discriminator));
    known.set(base, found);
    return found;
  };
};

export const subtypeAlternatives = (
  subtypes: readonly Subtype[],
  translate: (schema: Json) => LinkedSchema,
): { readonly anyOf: readonly LinkedSchema[]; readonly notes: readonly string[] } => {
  if (subtypes.length === 0) return { anyOf: [], notes: [] };
  if (subtypes.length > MOST_ALTERNATIVES) {
    const names = subtypes.map(({ name }) => name);
    const note = `May have the fields of one of its kinds: ${valueList(names, MOST_ALTERNATIVES)}.`;
    return { anyOf: [], notes: [note] };
  }
  const anyOf = subtypes.map(({ name, schema }) => ({ description: name, ...translate(schema) }));
  // Without declared values for all subtypes, a value may also be of the base type.
  const isComplete = subtypes.every(({ hasValues }) => hasValues);
  return { anyOf: [...anyOf, ...(isComplete ? [] : [NO_SUBTYPE])], notes: [] };
};

const NO_SUBTYPE: LinkedSchema = { description: 'None of these.', keywords: { type: 'object' } };

interface Component {
  readonly name: string;
  readonly ref: string;
  readonly schema: JsonObject;
}

type DirectSubtypes = ReadonlyMap<Json, readonly Component[]>;

const directSubtypes = (root: JsonObject): DirectSubtypes => {
  const components = member(root, 'components');
  const maps = [
    ['#/components/schemas', isObject(components) ? member(components, 'schemas') : undefined],
    ['#/definitions', member(root, 'definitions')],
  ] as const;
  const subtypes = new Map<Json, Component[]>();
  for (const [pointer, map] of maps) {
    for (const [name, schema] of Object.entries(objectOf(map))) {
      if (!isObject(schema)) continue;
      const bases = listMember(schema, 'allOf').map((part) => {
        const ref = isObject(part) ? member(part, '$ref') : undefined;
        return typeof ref === 'string' ? resolveFragment(root, ref) : undefined;
      });
      for (const base of new Set(bases)) {
        if (base === undefined) continue;
        const known = subtypes.get(base) ?? [];
        known.push({ name, ref: pointer + pointerTo(name), schema });
        subtypes.set(base, known);
      }
    }
  }
  return subtypes;
};

const allSubtypes = (direct: DirectSubtypes, base: JsonObject): readonly Component[] => {
  const found = new Map<JsonObject, Component>();
  const open: (readonly Component[])[] = [direct.get(base) ?? []];
  // The list grows while it is iterated.
  for (const subtypes of open) {
    for (const subtype of subtypes) {
      if (found.has(subtype.schema) || subtype.schema === base) continue;
      if (found.size === MOST_SUBTYPES) return [...found.values()];
      found.set(subtype.schema, subtype);
      // A subtype with its own discriminator lists its subtypes itself.
      const isBase = Object.hasOwn(subtype.schema, 'discriminator');
      if (!isBase) open.push(direct.get(subtype.schema) ?? []);
    }
  }
  return [...found.values()];
};

const withValues =
  ({ property, values: mapped, hasDefaultMapping }: Discriminator) =>
  ({ name, ref, schema }: Component): Subtype => {
    const own = member(schema, 'x-ms-discriminator-value');
    const values = mapped.get(ref) ?? mapped.get(name) ?? (typeof own === 'string' ? [own] : []);
    return {
      name,
      hasValues: values.length > 0,
      schema:
        values.length === 0 || hasDefaultMapping
          ? { $ref: ref }
          : withDiscriminatorValues(ref, property, values),
    };
  };

interface Discriminator {
  readonly property: string;
  /** Whether a mapping for values without the property exists. Source: OpenAPI 3.2.0, "Discriminator Object". */
  readonly hasDefaultMapping: boolean;
  /** Values by the component's reference or bare name. */
  readonly values: ReadonlyMap<Json | undefined, readonly string[]>;
}

export const discriminatorOf = (schema: JsonObject): Discriminator | undefined => {
  const discriminator = member(schema, 'discriminator');
  // In Swagger 2.0 `discriminator` is the property's name.
  const property = isObject(discriminator) ? discriminator['propertyName'] : discriminator;
  if (typeof property !== 'string') return undefined;
  const mapping = isObject(discriminator) ? objectMember(discriminator, 'mapping') : {};
  return {
    property,
    hasDefaultMapping: isObject(discriminator) && Object.hasOwn(discriminator, 'defaultMapping'),
    values: Map.groupBy(Object.keys(mapping), (value) => member(mapping, value)),
  };
};

const MOST_NAMED_VALUES = 20;

export const discriminatorNote = (schema: JsonObject): readonly string[] => {
  const discriminator = member(schema, 'discriminator');
  const name = isObject(discriminator) ? tidyText(discriminator, 'propertyName') : undefined;
  const mapping = isObject(discriminator) ? member(discriminator, 'mapping') : undefined;
  if (name === undefined || !isObject(mapping)) return [];
  const values = valueList(Object.keys(mapping), MOST_NAMED_VALUES);
  return [`${shortened(`${name} tells which kind it is: ${values}`, 300)}.`];
};

/**
 * Restricts an alternative to the discriminator values that the mapping gives it, so that a model knows which to write,
 * and validation finds a `cat` that is declared a dog. Without mapping nothing is added, since real APIs often use
 * other values than schema names.
 * Source: OpenAPI 3.1.1, "Discriminator Object".
 */
export const discriminateAlternative = (
  flat: FlatSchemas['flat'],
  discriminator: Discriminator,
  alternative: Json,
): Json => {
  const { property, hasDefaultMapping } = discriminator;
  if (!isObject(alternative) || hasDefaultMapping) return alternative;
  const own = flat(alternative);
  const ref = member(alternative, '$ref');
  if (typeof ref !== 'string') {
    return isOneOfKind(own, property) ? requiring(alternative, property) : alternative;
  }
  const values = valuesFor(discriminator, ref);
  const known = valuesOfProperty(flat, alternative, property);
  // The base schema's enum lists the values of all subtypes.
  const isAmong = values?.every((value) => known?.includes(value)) === true;
  if (values && (!known || (isAmong && known.length > values.length))) {
    return withDiscriminatorValues(ref, property, values);
  }
  return isOneOfKind(own, property) ? withDiscriminator(ref, property) : alternative;
};

/**
 * Discriminator of the base schema, if its mapping names the alternative: springdoc writes `oneOf` without one.
 * Source: https://github.com/springdoc/springdoc-openapi/issues/2999; OpenAPI 3.1.1, "Discriminator Object".
 */
export const inheritedDiscriminator = (
  flat: FlatSchemas['flat'],
  alternative: Json,
): Discriminator | undefined => {
  const ref = isObject(alternative) ? member(alternative, '$ref') : undefined;
  if (!isObject(alternative) || typeof ref !== 'string') return undefined;
  const found = discriminatorOf(flat(alternative));
  return found && valuesFor(found, ref) ? found : undefined;
};

const valuesFor = ({ values }: Discriminator, ref: string): readonly string[] | undefined =>
  values.get(ref) ?? values.get(ref.replace(/^#\/components\/schemas\//, ''));

/** Whether an alternative has the discriminator as an optional property. */
const isOneOfKind = (flat: JsonObject, property: string): boolean => {
  const properties = member(flat, 'properties');
  return (
    isObject(properties) &&
    member(properties, property) !== undefined &&
    !listMember(flat, 'required').includes(property)
  );
};

const requiring = (schema: JsonObject, property: string): JsonObject => ({
  ...schema,
  required: [...listMember(schema, 'required'), property],
});

/** A component that declares its discriminator values itself. */
const withDiscriminator = (ref: string, property: string): JsonObject => ({
  discriminator: false,
  allOf: [{ $ref: ref }],
  required: [property],
});

const valuesOfProperty = (
  flat: FlatSchemas['flat'],
  schema: JsonObject,
  name: string,
): readonly Json[] | undefined => {
  const properties = member(flat(schema), 'properties');
  const property = isObject(properties) ? member(properties, name) : undefined;
  return isObject(property) ? valuesOf(flat(property)) : undefined;
};

const withDiscriminatorValues = (
  ref: string,
  property: string,
  values: readonly string[],
): JsonObject => ({
  // The note is written once, for the schema with the discriminator.
  discriminator: false,
  allOf: [{ $ref: ref }],
  properties: { [property]: { enum: values } },
  required: [property],
});

/**
 * Shareable reference for results of `withDiscriminatorValues` or `withDiscriminator`: equal ones have the same, so
 * that they can contain themselves as components do. Undefined for other schemas.
 */
export const discriminatedRef = (schema: Json): string | undefined => {
  if (!isObject(schema) || schema['discriminator'] !== false) return undefined;
  const [component] = listMember(schema, 'allOf');
  const ref = isObject(component) ? textMember(component, '$ref') : '';
  const identity = JSON.stringify([ref, schema['properties'] ?? schema['required'] ?? null]);
  return `${KINDS}${pointerTo(identity)}/${ref.split('/').at(-1) ?? ''}`;
};

const KINDS = '#/kinds';

export const isKind = (ref: string): boolean => ref.startsWith(`${KINDS}/`);
