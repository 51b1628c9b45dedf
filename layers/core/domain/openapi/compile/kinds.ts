import { isObject, type Json, type JsonObject, member, pointerTo } from '../document.ts';
import { listOf } from './merge-schemas.ts';

/** A component, with the only values that its discriminator has there. */
export const ofKind = (ref: string, property: string, values: readonly string[]): JsonObject => ({
  // Said once, by the schema that chooses.
  discriminator: false,
  allOf: [{ $ref: ref }],
  properties: { [property]: { enum: values } },
  required: [property],
});

/**
 * A reference for what `ofKind` makes, so that it can be shared and refer to itself as components do: the
 * same for the same kind, and for nothing else. Undefined for all other schemas.
 */
export const kindRef = (schema: Json): string | undefined => {
  if (!isObject(schema) || schema['discriminator'] !== false) return undefined;
  const [component] = listOf(member(schema, 'allOf'));
  const ref = isObject(component) ? String(component['$ref']) : '';
  const kind = JSON.stringify([ref, schema['properties'] ?? null]);
  return `#/kinds${pointerTo(kind)}/${ref.split('/').at(-1) ?? ''}`;
};
