import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { FlatSchemas } from './flat-schema.ts';
import { listOf } from './merge-schemas.ts';
import { valueList, shortened, textOf } from './texts.ts';
import { valuesOf } from '../json-schema/types.ts';

export interface Discriminator {
  readonly property: string;
  /** By component, as its reference or its bare name. */
  readonly values: ReadonlyMap<Json | undefined, readonly string[]>;
}

/** The discriminator of a schema, with the values of its mapping. */
export const discriminatorOf = (schema: JsonObject): Discriminator | undefined => {
  const discriminator = member(schema, 'discriminator');
  // In Swagger 2.0 it is the name of the property.
  const property = isObject(discriminator) ? discriminator['propertyName'] : discriminator;
  if (typeof property !== 'string') return undefined;
  const given = isObject(discriminator) ? member(discriminator, 'mapping') : undefined;
  const mapping = isObject(given) ? given : {};
  return { property, values: Map.groupBy(Object.keys(mapping), (value) => mapping[value]) };
};

/** Values of a mapping that are named in a note. */
const MOST_NAMED_VALUES = 20;

/** Which values the alternatives go by; without a mapping their own schemas tell. */
export const discriminatorNote = (schema: JsonObject): readonly string[] => {
  const discriminator = member(schema, 'discriminator');
  const name = isObject(discriminator) ? textOf(discriminator, 'propertyName') : undefined;
  const mapping = isObject(discriminator) ? member(discriminator, 'mapping') : undefined;
  if (name === undefined || !isObject(mapping)) return [];
  const values = valueList(Object.keys(mapping), MOST_NAMED_VALUES);
  return [`${shortened(`${name} tells which kind it is: ${values}`, 300)}.`];
};

/**
 * Puts the values of a discriminator where they belong: an alternative that the mapping names takes these
 * values only, so that a model sees which one it writes, and no call says `cat` of a dog. Without a mapping
 * nothing is added, since real descriptions often write other values than the names of their schemas.
 *
 * Source: OpenAPI 3.1.1, "Discriminator Object".
 */
export const discriminateAlternative = (
  flat: FlatSchemas['flat'],
  { property, values: mapped }: Discriminator,
  alternative: Json,
): Json => {
  const ref = isObject(alternative) ? member(alternative, '$ref') : undefined;
  if (!isObject(alternative) || typeof ref !== 'string') return alternative;
  const values = mapped.get(ref) ?? mapped.get(ref.replace(/^#\/components\/schemas\//, ''));
  if (!values || valuesOfProperty(flat, alternative, property)) return alternative;
  return withDiscriminatorValues(ref, property, values);
};

const valuesOfProperty = (
  flat: FlatSchemas['flat'],
  schema: JsonObject,
  name: string,
): readonly Json[] | undefined => {
  const properties = member(flat(schema), 'properties');
  const property = isObject(properties) ? member(properties, name) : undefined;
  return isObject(property) ? valuesOf(flat(property)) : undefined;
};

/** A component, with the only values that a discriminator has there. */
export const withDiscriminatorValues = (
  ref: string,
  property: string,
  values: readonly string[],
): JsonObject => ({
  // Said once, by the schema that has the discriminator.
  discriminator: false,
  allOf: [{ $ref: ref }],
  properties: { [property]: { enum: values } },
  required: [property],
});

/**
 * A reference for what `withDiscriminatorValues` makes, so that it can be shared and refer to itself as
 * components do: the same for the same values, and for nothing else. Undefined for all other schemas.
 */
export const discriminatedRef = (schema: Json): string | undefined => {
  if (!isObject(schema) || schema['discriminator'] !== false) return undefined;
  const [component] = listOf(member(schema, 'allOf'));
  const ref = isObject(component) ? textMember(component, '$ref') : '';
  const identity = JSON.stringify([ref, schema['properties'] ?? null]);
  return `#/kinds${pointerTo(identity)}/${ref.split('/').at(-1) ?? ''}`;
};
