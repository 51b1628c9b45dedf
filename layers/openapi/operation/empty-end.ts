import type { Description, FoundOperation } from '../document.ts';
import type { Parameter } from './encodings.ts';

/**
 * Whether the last path variable of a reading operation may be empty: it is a path itself, and no other operation has
 * the path without it (`/files` for `/files/{path}`), not even one that the owner excluded.
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

/**
 * The parameters of an operation, those of the last places of a path optional that say so themselves, against OpenAPI:
 * `/archive/{year}/{month}` of a router with `{year?}/{month?}`. Only for whoever reads: `DELETE /users` is another act
 * than `DELETE /users/{id}`. Nor where the shorter path is described.
 */
export const withOptionalEnds = (
  { operations }: Pick<Description, 'operations'>,
  { method, path }: Pick<FoundOperation, 'method' | 'path'>,
  parameters: readonly Parameter[],
): readonly Parameter[] => {
  if (!parameters.some(({ mayBeLeftOut }) => mayBeLeftOut)) return parameters;
  const ends = new Set<Parameter>();
  let shorter = path;
  for (;;) {
    const end = parameters.find(
      ({ name, in: location }) => location === 'path' && shorter.endsWith(`/{${name}}`),
    );
    if (!READS.has(method) || end?.mayBeLeftOut !== true) break;
    shorter = shorter.slice(0, -`/{${end.name}}`.length);
    const isTaken = operations.some(
      (other) => READS.has(other.method) && [shorter, `${shorter}/`].includes(other.path),
    );
    if (isTaken || shorter === '') break;
    ends.add(end);
  }
  return parameters.map((parameter) => {
    if (ends.has(parameter)) return { ...parameter, required: false };
    const { mayBeLeftOut: _, ...rest } = parameter;
    return rest;
  });
};

const READS = new Set(['GET', 'HEAD']);
