import { isJson } from '../json.ts';

/** Source: RFC 6901 §3. */
export const pointerTo = (...keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Keys of a JSON pointer in a URI fragment; undefined for other fragments. Source: RFC 6901 §6. */
export const keysOf = (fragment: string): readonly string[] | undefined => {
  if (fragment === '') return [];
  if (!fragment.startsWith('/')) return undefined;
  return fragment
    .slice(1)
    .split('/')
    .map((token) => decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'));
};

export const valueAt = (root: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return /^(0|[1-9]\d*)$/.test(key) ? at[Number(key)] : undefined;
    return isJson(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);

const decoded = (token: string): string => {
  try {
    return decodeURIComponent(token);
  } catch {
    return token; // A stray percent sign: the fragment was written unencoded.
  }
};
