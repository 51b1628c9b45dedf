import { isObject, type Json, type JsonObject, member } from '../document.ts';
import type { FlatSchemas } from './flat-schema.ts';
import { ofKind } from './kinds.ts';
import { valuesOf } from './types.ts';

/**
 * Puts the values of a discriminator where they belong: an alternative that the mapping names takes these
 * values only, so that a model sees which one it writes, and no call says `cat` of a dog. Without a mapping
 * nothing is added, since real descriptions often write other values than the names of their schemas.
 *
 * Source: OpenAPI 3.1.1, "Discriminator Object".
 */
export const discriminated = (
  flat: FlatSchemas['flat'],
  schema: JsonObject,
): ((alternative: Json) => Json) => {
  const discriminator = member(schema, 'discriminator');
  const name = isObject(discriminator) ? member(discriminator, 'propertyName') : undefined;
  const mapping = isObject(discriminator) ? member(discriminator, 'mapping') : undefined;
  if (typeof name !== 'string' || !isObject(mapping)) return (alternative) => alternative;
  const valuesByTarget = Map.groupBy(Object.keys(mapping), (value) => mapping[value]);

  return (alternative) => {
    const ref = isObject(alternative) ? member(alternative, '$ref') : undefined;
    if (!isObject(alternative) || typeof ref !== 'string') return alternative;
    const bareName = ref.replace(/^#\/components\/schemas\//, '');
    const values = valuesByTarget.get(ref) ?? valuesByTarget.get(bareName);
    if (!values || saysItself(flat, alternative, name)) return alternative;
    return ofKind(ref, name, values);
  };
};

const saysItself = (flat: FlatSchemas['flat'], alternative: JsonObject, name: string): boolean => {
  const properties = member(flat(alternative), 'properties');
  const property = isObject(properties) ? member(properties, name) : undefined;
  return isObject(property) && valuesOf(flat(property)) !== undefined;
};
