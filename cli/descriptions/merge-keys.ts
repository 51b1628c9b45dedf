import { DescriptionFault } from './description-fault.ts';

/** The service's own limit for keys copied by all merges. */
const MAX_MERGED = 100_000;

/**
 * Expands `<<` as the service does, since swagger-parser does not. Source: "Merge Key Language-Independent Type for
 * YAML 1.1".
 * @param document - a finite tree, in which aliases may share values
 * @throws DescriptionFault if it merges more than 100,000 keys
 */
export const withMergeKeys = (document: unknown): unknown => {
  const done = new Map<object, unknown>();
  let left = MAX_MERGED;
  const written = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (done.has(value)) return done.get(value);
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      done.set(value, list);
      for (const one of value) list.push(written(one));
      return list;
    }
    const members: Record<string, unknown> = {};
    done.set(value, members);
    const sources = mergedInto(value);
    for (const [key, one] of Object.entries(value)) {
      if (key === MERGE && sources) {
        for (const source of sources) {
          const merged = Object.entries(written(source) as object);
          left -= merged.length;
          if (left < 0) throw new DescriptionFault('The merge keys of the description explode.');
          // The object's own keys come first, then the first source that has one.
          for (const [name, inner] of merged) {
            if (!Object.hasOwn(value, name) && !Object.hasOwn(members, name)) {
              define(members, name, inner);
            }
          }
        }
      } else define(members, key, written(one));
    }
    return members;
  };
  return written(document);
};

const MERGE = '<<';

const mergedInto = (value: object): readonly object[] | undefined => {
  if (!Object.hasOwn(value, MERGE)) return undefined;
  const { [MERGE]: given } = value as { readonly [MERGE]: unknown };
  const sources: readonly unknown[] = Array.isArray(given) ? given : [given];
  return sources.every(isObject) ? sources : undefined;
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member is defined, not assigned: its key may be `__proto__`. */
const define = (members: object, key: string, value: unknown): void => {
  Object.defineProperty(members, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
};
