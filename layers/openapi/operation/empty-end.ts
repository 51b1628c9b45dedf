import type { Description, FoundOperation } from '../document.ts';
import type { Parameter } from './encodings.ts';

/**
 * Whether the last path variable of a reading operation may be empty: it is a path itself, and no other reading
 * operation has the path without it, not even one that the owner excluded. Most servers take `/files/` for `/files`, so
 * that `/files/{path}` would call that one.
 */
export const mayEndEmpty = (
  { operations }: Pick<Description, 'operations'>,
  { method, path }: Pick<FoundOperation, 'method' | 'path'>,
  { name, in: location, isMultiSegment }: Pick<Parameter, 'in' | 'isMultiSegment' | 'name'>,
): boolean => {
  const end = `/{${name}}`;
  if (!READS.has(method) || location !== 'path' || !path.endsWith(end)) return false;
  if (!isMultiSegment && !/path$/i.test(name)) return false;
  const shorter = path.slice(0, -end.length);
  return !operations.some(
    (other) => READS.has(other.method) && [shorter, `${shorter}/`].includes(other.path),
  );
};

const READS = new Set(['GET', 'HEAD']);
