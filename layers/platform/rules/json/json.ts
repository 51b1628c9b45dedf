export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own member of an object; names like `constructor` do not reach `Object.prototype`. */
export const member = <Value>(
  object: { readonly [key: string]: Value },
  key: string,
): Value | undefined => {
  const value = object[key];
  // Mostly the member is missing, which one look tells.
  return value === undefined || !Object.hasOwn(object, key) ? undefined : value;
};

/** Text of a string, number or boolean; else empty. `String` would call a `toString` that a stranger may have sent. */
export const textMember = (object: JsonObject, key: string): string => {
  const value = member(object, key);
  return typeof value === 'object' || value === undefined ? '' : String(value);
};

/** JSON text in which `bigint`s, used for integers beyond 2^53, keep all digits. Source: ECMAScript, "JSON.rawJSON". */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, inside: unknown) =>
    typeof inside === 'bigint' ? rawJson(String(inside)) : inside,
  );

/** Standard since Node 21, but missing in TypeScript's types. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** All strings and numbers within a value, at any depth, as strings. */
export const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap((one: unknown) => leavesOf(one));
  }
  return ['string', 'number', 'bigint'].includes(typeof value) ? [String(value)] : [];
};

/** Text that is the same for equal values, regardless of the order of members. Source: JSON Schema 2020-12 §4.2.2. */
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

/** Works without recursion; functions that read the text later recurse, and too many brackets exhaust their stack. */
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
