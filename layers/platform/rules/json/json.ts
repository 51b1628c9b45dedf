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

/** The texts and numbers in a value, as texts, however deep they stand. */
export const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap((one: unknown) => leavesOf(one));
  }
  return ['string', 'number', 'bigint'].includes(typeof value) ? [String(value)] : [];
};

/** A text that equal values share, whatever the order of their members. Source: JSON Schema 2020-12 §4.2.2. */
export const canonicalText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return jsonText(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join()}}`;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Whether JSON text nests deeper than `levels`, found without recursion. What reads a message
 * later (the schema check, the writer of the request's body) recurses, so that a body of a million
 * brackets would exhaust the stack there.
 */
export const nestsDeeperThan = (text: string, levels: number): boolean => {
  if (text.length <= 2 * levels) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (OPEN.has(code)) {
      depth++;
      if (depth > levels) return true;
    } else if (CLOSE.has(code)) depth--;
  }
  return false;
};
