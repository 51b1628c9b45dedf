export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A value as JSON text. Whole numbers beyond 2^53 are `bigint`s here, and keep all their digits.
 *
 * Source: ECMAScript, "JSON.rawJSON".
 */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? rawJson(String(member)) : member,
  );

/** Standard since Node 21; the types of TypeScript do not have it yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** What stands under a key of its own: `constructor` and `__proto__` are names like any other. */
export const own = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** A JSON pointer of these keys. Source: RFC 6901 §3. */
export const pointerTo = (keys: readonly (string | number)[]): string =>
  keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The keys of a JSON pointer, or of its form as a URI fragment (`#/$defs/A%3CB%3E`). Source: RFC 6901 §6. */
export const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => (pointer.startsWith('#') ? decoded(key) : key))
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a pointer points at, arrays included; `undefined` where there is nothing. */
export const resolve = (root: unknown, pointer: string): unknown => {
  let found = root;
  for (const key of keysOf(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
};

const decoded = (key: string): string => {
  try {
    return decodeURIComponent(key);
  } catch {
    return key; // A stray percent sign: the fragment was written unencoded.
  }
};
