import type { Json } from '../../platform/rules/json/json.ts';
import { isOneOf, type TypeName } from '../json-schema/types.ts';

/**
 * A value in the type that was meant: YAML reads `1` and `yes` as number and boolean where the schema
 * says text, and others write `"1"` where it says number.
 *
 * @returns undefined where it is of no allowed type either way, and for numbers that have lost digits
 */
export const inType = (types: readonly TypeName[], value: Json): Json | undefined => {
  if (hasLostDigits(value)) return undefined;
  if (isOneOf(types, value)) return value;
  if (types.includes('string') && typeof value !== 'object') return String(value);
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  const number = numberOf(value);
  return number !== undefined && isOneOf(types, number) ? number : undefined;
};

/** Whether a whole number of 64 bits was rounded when it was read. */
export const hasLostDigits = (value: Json): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) <= 2 ** 64;

/** A number, or a text that is one; none that JSON readers would round. */
export const numberOf = (value: Json | undefined): number | undefined => {
  const isText = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  const number = isText ? Number(value) : value;
  const isExact = typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  return isExact ? number : undefined;
};
