import type { Description, FoundOperation } from '../document.ts';
import type { Parameter } from './encodings.ts';

/**
 * Whether the last path variable of a reading operation may be empty: if it is a path itself, `/files/` lists what
 * `/files/{path}` reads. Not if the shorter path is described: that is another tool, or was excluded by the owner, and
 * most servers treat `/files/` as `/files`.
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
