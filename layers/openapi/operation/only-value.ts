import { isObject, type Json } from '../../platform/rules/json/json.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { valuesOf } from '../json-schema/types.ts';

/** The one text, number or truth value that a schema allows, as text; undefined where it leaves a choice. */
export const onlyValue = (
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
): string | undefined => {
  const [value, ...others] = (isObject(schema) ? valuesOf(schemas.flat(schema)) : undefined) ?? [];
  const isPlain = value !== undefined && value !== null && typeof value !== 'object';
  return isPlain && others.length === 0 ? String(value) : undefined;
};
