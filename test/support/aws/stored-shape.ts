import { existsSync, readFileSync } from 'node:fs';
import type { DataFormat } from '../../../lambdas/data-formats.ts';
import type { DocumentedKind } from '../../docs/storage-document.ts';

/** Attributes and types by kind of item, as they were when somebody last looked at what a change means. */
export interface StoredShape {
  /** The newest that is written. */
  readonly format: number;
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const FOLDER = new URL('../../stored/', import.meta.url);

export const SHAPE = new URL('shape.json', FOLDER);

/** Items as code of that format has written them. */
export const storedFile = (format: number): URL => new URL(`format-${format}.json`, FOLDER);

export const recordedShape = (): StoredShape =>
  existsSync(SHAPE) ? JSON.parse(readFileSync(SHAPE, 'utf8')) : { format: 0, kinds: {} };

/** What docs/storage.md tells of, which a test holds to what is stored. */
export const shapeOf = (
  formats: readonly DataFormat[],
  kinds: readonly DocumentedKind[],
): StoredShape => ({
  format: Math.max(
    ...formats.flatMap(({ number, writtenSince }) => (writtenSince === undefined ? [] : [number])),
  ),
  kinds: Object.fromEntries(
    kinds.map(({ table, key, attributes }) => [`${table} ${key}`, attributes]),
  ),
});

/**
 * What a change of the shape means to a version that knows the former one. In a new format everything may
 * change, since the record of formats holds it to what the release before reads.
 *
 * @returns sentences; `breaks` is what such a version cannot read
 */
export const shapeChanges = (
  before: StoredShape,
  now: StoredShape,
): { readonly additions: readonly string[]; readonly breaks: readonly string[] } => {
  const additions: string[] = [];
  const breaks: string[] = [];
  const isNewFormat = now.format > before.format;
  for (const [kind, attributes] of Object.entries(before.kinds)) {
    const left = now.kinds[kind];
    if (!left) breaks.push(`${kind} is not stored any more`);
    for (const [name, type] of Object.entries(left ? attributes : {})) {
      const other = left?.[name];
      if (other === type || other === undefined ? other === type : isNoMoreThan(type, other))
        continue;
      breaks.push(
        `${kind}: ${name} was "${type}" and is ${other === undefined ? 'gone' : `"${other}"`}`,
      );
    }
  }
  for (const [kind, attributes] of Object.entries(now.kinds)) {
    const known = before.kinds[kind];
    if (!known) additions.push(`${kind} is new`);
    for (const name of Object.keys(known ? attributes : {})) {
      if (known?.[name] === undefined) additions.push(`${kind}: ${name} is new`);
    }
  }
  return isNewFormat ? { additions: [...breaks, ...additions], breaks: [] } : { additions, breaks };
};

/** What was optional and is always there now surprises nobody. */
const isNoMoreThan = (before: string, now: string): boolean => `${now}, optional` === before;
