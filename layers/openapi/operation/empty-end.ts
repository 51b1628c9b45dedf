import type { Description, FoundOperation } from '../document.ts';
import type { Parameter } from './encodings.ts';

/**
 * Whether the last place of a path may be left empty by whoever reads: `/files/` lists what `/files/{path}` reads, where
 * the place is a path itself. Not where the shorter path is described: it has a tool of its own then, or its owner has
 * left that out, and most servers take `/files/` for `/files`.
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
