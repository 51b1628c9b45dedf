import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Description, FoundOperation } from '../document.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';
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
  return !isRead(operations, shorter);
};

/**
 * Places at the end of a path that cannot be left out although they say so: the shorter path would be that of another
 * operation.
 */
const isTaken = (operations: readonly FoundOperation[], shorter: string): boolean =>
  isRead(operations, shorter) || readWithPlaces(operations, shorter) !== undefined;

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
    if (shorter === '' || isTaken(operations, shorter)) break;
    ends.add(end);
  }
  return parameters.map((parameter) => {
    if (ends.has(parameter)) return { ...parameter, required: false };
    const { mayBeLeftOut: _, ...rest } = parameter;
    return rest;
  });
};

/** Says which places may be left out, since OpenAPI knows no such thing, and which cannot be. */
export const leftOutEnds = (
  { operations }: Pick<Description, 'operations'>,
  { method, path, pointer }: Pick<FoundOperation, 'method' | 'path' | 'pointer'>,
  described: readonly Parameter[],
  parameters: readonly Parameter[],
): readonly Finding[] => {
  const names = parameters.flatMap((one) => (one.mayBeLeftOut ? [`{${one.name}}`] : []));
  if (!described.some(({ mayBeLeftOut }) => mayBeLeftOut)) return [];
  const optional = new Set(described.flatMap((one) => (one.mayBeLeftOut ? [one.name] : [])));
  const ends = [...path.matchAll(/\/\{([^{}/]*)\}/g)].filter(
    ([, name = '']) => optional.has(name) && !names.includes(`{${name}}`),
  );
  const [first] = ends.toReversed();
  const shorter = first === undefined ? '' : path.slice(0, first.index);
  const other = READS.has(method) ? readWithPlaces(operations, shorter) : undefined;
  const refused: Finding = {
    where: pointer,
    what: `calls must give {${first?.[1] ?? ''}}, which is optional in the path: without it ${shorter} may be read as ${other ?? ''}`,
    hint: `Describe GET ${shorter} as an operation of its own if the API has it.`,
  };
  const warnings = other === undefined ? [] : [refused];
  if (names.length === 0) return warnings;
  return [
    ...warnings,
    {
      where: pointer,
      what: `calls may leave out ${names.join(' and ')} at the end of the path`,
      hint: 'Write `required: true` there, and no example `omitted`, if the API has no shorter path.',
    },
  ];
};

const READS = new Set(['GET', 'HEAD']);

/** Whether an operation reads a path, whatever its places are called, its letters, query or a slash at its end. */
const isRead = (operations: readonly FoundOperation[], path: string): boolean => {
  const paths =
    pathsRead.get(operations) ??
    new Set(operations.filter(({ method }) => READS.has(method)).map((one) => meant(one.path)));
  pathsRead.set(operations, paths);
  return paths.has(meant(path));
};

/**
 * The path with places that a path without any could be read as: `/{page}` for `/archive`. One place may take several
 * segments as far as anybody knows, but servers prefer what says more.
 */
const readWithPlaces = (
  operations: readonly FoundOperation[],
  path: string,
): string | undefined => {
  const segments = segmentsOf(path);
  const rivals =
    placed.get(operations) ??
    Map.groupBy(
      operations
        .filter((one) => READS.has(one.method) && one.path.includes('{'))
        .map((one) => ({
          path: one.path,
          segments: segmentsOf(one.path).map((text) => (text.includes('{}') ? undefined : text)),
        })),
      (one) => one.segments.length,
    );
  placed.set(operations, rivals);
  return rivals
    .get(segments.length)
    ?.find((one) =>
      one.segments.every((segment, index) => segment === undefined || segment === segments[index]),
    )?.path;
};

const segmentsOf = (path: string): readonly string[] => meant(path).split('/');

interface Rival {
  readonly path: string;
  /** Undefined for those with a place. */
  readonly segments: readonly (string | undefined)[];
}

/** Cache of operations with places in their paths, by their number of segments: each is compared with all others. */
const placed = new WeakMap<readonly FoundOperation[], ReadonlyMap<number, readonly Rival[]>>();

const meant = (path: string): string =>
  trimmedEnd(path.split(/[?#]/, 1).join().toLowerCase(), /\//).replaceAll(/\{[^{}]*\}/g, '{}');

/** Cache, since each of thousands of operations may ask. */
const pathsRead = new WeakMap<readonly FoundOperation[], ReadonlySet<string>>();
