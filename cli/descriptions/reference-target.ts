import { keysOf } from './json-pointer.ts';

/** What a reference leads to. */
export interface Target {
  readonly document: string;
  /** Undefined for a fragment that is no pointer. */
  readonly keys: readonly string[] | undefined;
}

/** @param base - what the reference is relative to @returns undefined for what is no reference */
export const targetOf = (ref: string, base: string): Target | undefined => {
  const url = URL.parse(ref, base);
  if (url === null) return undefined;
  const keys = keysOf(url.hash.slice(1));
  url.hash = '';
  return { document: url.href, keys };
};

/** The reference within the document that it leads to. */
export const fragmentOf = (ref: string): string =>
  ref.includes('#') ? ref.slice(ref.indexOf('#')) : '#';
