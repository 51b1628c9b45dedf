/** A JSON object that somebody else wrote: nothing is known of its members. */
export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});

/** The objects of a list; none if it is none. */
export const listOf = <Value>(value: Value): readonly ObjectIn<Value>[] =>
  Array.isArray(value) ? (value.filter(isJson) as unknown as readonly ObjectIn<Value>[]) : [];

/** Json where nothing is known of the list. */
type ObjectIn<Value> =
  NonNullable<Value> extends readonly (infer Item extends object)[] ? Item : Json;

/** The strings of a list; none if it is none. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The text, or an empty one. */
export const stringOf = (value: unknown): string => textOf(value) ?? '';

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

export { jsonOrUndefined as parsed } from '../layers/platform/rules/json/parsed-json.ts';
