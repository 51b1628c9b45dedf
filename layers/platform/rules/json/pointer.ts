import { isObject, type Json, member } from './json.ts';

/** JSON pointer of these keys. Source: RFC 6901 §3. */
export const pointerTo = (...keys: readonly (string | number)[]): string =>
  keys.map((key) => `/${escapeToken(String(key))}`).join('');

/** Escapes a key as a token of a JSON pointer. Source: RFC 6901 §3. */
export const escapeToken = (key: string): string =>
  /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;

/** Source: RFC 6901 §4. */
export const unescapeToken = (token: string): string =>
  token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;

/** Keys of a JSON pointer, or of its form as a URI fragment (`#/$defs/A%3CB%3E`). Source: RFC 6901 §6. */
export const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => unescapeToken(pointer.startsWith('#') ? percentDecoded(token) : token));

export const resolvePointer = (root: unknown, pointer: string): Json | undefined => {
  let at = root as Json | undefined;
  for (const key of keysOf(pointer)) {
    at = child(at, key);
    if (at === undefined) return undefined;
  }
  return at;
};

/**
 * Target of a reference within a document, such as `#` or `#/components/schemas/Pet`.
 * @returns undefined without a target, and for other kinds of references
 * Source: RFC 6901 §6. Keys written with an unencoded `%` are found, too.
 */
export const resolveFragment = (root: unknown, ref: string): Json | undefined => {
  if (ref === '#') return root as Json;
  if (!ref.startsWith('#/')) return undefined;
  if (!ref.includes('%')) return resolvePointer(root, ref.slice(1));
  let at = root as Json | undefined;
  for (const token of ref.slice(2).split('/')) {
    at = child(at, unescapeToken(percentDecoded(token))) ?? child(at, unescapeToken(token));
    if (at === undefined) return undefined;
  }
  return at;
};

const child = (node: Json | undefined, key: string): Json | undefined => {
  if (Array.isArray(node)) return /^(0|[1-9]\d{0,9})$/.test(key) ? node[Number(key)] : undefined;
  return isObject(node) ? member(node, key) : undefined;
};

const percentDecoded = (token: string): string => {
  if (!token.includes('%')) return token;
  try {
    return decodeURIComponent(token);
  } catch {
    return token; // A stray percent sign: the fragment was written unencoded.
  }
};

/** Name of the definition in a tool's `$defs` that a `$ref` points to. */
export const definitionOf = (reference: unknown): string | undefined =>
  typeof reference === 'string' && reference.startsWith(DEFINITIONS)
    ? unescapeToken(reference.slice(DEFINITIONS.length))
    : undefined;

const DEFINITIONS = '#/$defs/';
