/** A JSON object from outside: its members are unknown. */
export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});

/** Objects in a list; empty for other values. */
export const listOf = <Value>(value: Value): readonly ObjectIn<Value>[] =>
  Array.isArray(value) ? (value.filter(isJson) as unknown as readonly ObjectIn<Value>[]) : [];

/** Type of a list's items; Json if it is unknown. */
type ObjectIn<Value> =
  NonNullable<Value> extends readonly (infer Item extends object)[] ? Item : Json;

/** Strings in a list; empty for other values. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A string; empty for other values. */
export const stringOf = (value: unknown): string => textOf(value) ?? '';

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

export { jsonOrUndefined as parsed } from '../layers/platform/rules/json/parsed-json.ts';
