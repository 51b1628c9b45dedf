import { createHash } from 'node:crypto';

const MAX_PROPERTY_NAME = 64;

/** A property name that all model APIs take: `^[a-zA-Z0-9_.-]{1,64}$`, and never `__proto__`. */
export const isPropertyName = (name: string): boolean =>
  /^[a-zA-Z0-9_.-]{1,64}$/.test(name) && name !== '__proto__';

/** What `filter[x]` may be called: `filter_x`. Not unique. */
export const propertyName = (wire: string): string => {
  if (isPropertyName(wire)) return wire;
  const name = nameOf(wire, /[^a-zA-Z0-9_.-]+/g);
  if (name === '') return `field_${shortHash(wire, 6)}`;
  return name.length > MAX_PROPERTY_NAME ? propertyNameWithHash(wire) : name;
};

/** The same, with an ending that tells apart names that would otherwise become equal. */
export const propertyNameWithHash = (wire: string, ...origin: readonly string[]): string =>
  `${(nameOf(wire, /[^a-zA-Z0-9_.-]+/g) || 'field').slice(0, MAX_PROPERTY_NAME - 13)}_${shortHash([wire, ...origin].join('\n'), 12)}`;

/** A name under `$defs`: the last part of the pointer, told apart by a hash unless it is a plain component. */
export const definitionName = (pointer: string): string => {
  const parts = pointer.split('/');
  const last = parts.at(-1) ?? '';
  const isComponent =
    /^#\/(components\/schemas|definitions)\/[^/]+$/.test(pointer) && isPropertyName(last);
  return isComponent ? last : propertyNameWithHash(last, pointer);
};

/** Characters that are not allowed become one `_`; a name that needed no change is left as it is. */
export const nameOf = (text: string, forbidden: RegExp): string => {
  const name = text.replaceAll(forbidden, '_');
  if (name === text && name !== '__proto__') return name;
  return name.replaceAll(/_{2,}/g, '_').replaceAll(/^_|_$/g, '');
};

/** Hexadecimal digits of a SHA-256. */
export const shortHash = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);
