export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of an object, never one of `Object.prototype`: `constructor` is a name like any other. */
export const member = <Value>(
  object: { readonly [key: string]: Value },
  key: string,
): Value | undefined => {
  const value = object[key];
  // Most often nothing is there, and one look tells.
  return value === undefined || !Object.hasOwn(object, key) ? undefined : value;
};

/**
 * The text of a member, and of a number or truth value its own; empty where there is neither. `String` would ask an
 * object for its `toString`, which a stranger can have made a number.
 */
export const textMember = (object: JsonObject, key: string): string => {
  const value = member(object, key);
  return typeof value === 'object' || value === undefined ? '' : String(value);
};

/**
 * A value as JSON text. Whole numbers beyond 2^53 are `bigint`s here, and keep all their digits.
 *
 * Source: ECMAScript, "JSON.rawJSON".
 */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, inside: unknown) =>
    typeof inside === 'bigint' ? rawJson(String(inside)) : inside,
  );

/** Standard since Node 21; the types of TypeScript do not have it yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** A text that equal values share, whatever the order of their members. Source: JSON Schema 2020-12 §4.2.2. */
export const canonicalText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return jsonText(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join()}}`;
};
