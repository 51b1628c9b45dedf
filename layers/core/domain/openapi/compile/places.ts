import type { Change, ToolNote } from '../../tool-note.ts';
import type { Path } from './path.ts';
import type { TypeName } from './types.ts';

/** Where a schema stands. */
export interface Place {
  /** JSON pointer into the tool's `inputSchema`. */
  readonly at: Path;
  readonly depth: number;
  /** Whether nothing on the way to it may be left out. */
  readonly isRequired: boolean;
  /** The definition around it, if nothing on the way from there may be left out. */
  readonly within?: string | undefined;
  /** The types of the schema that this one is an alternative or a part of. */
  readonly context?: readonly TypeName[] | undefined;
}

/** Arguments named in one note; the others are counted. */
const MOST_NAMED = 12;

/** One note for each kind of change, with the arguments it was made to. */
export const notesOn = (
  changes: readonly (readonly [at: string, change: Change])[],
): readonly ToolNote[] =>
  [...Map.groupBy(changes, ([, { what, why }]) => `${what}\0${why}`).values()].flatMap((group) => {
    const [, change] = group[0] ?? [];
    if (!change) return [];
    const places = [...new Set(group.map(([at]) => placeName(at)))];
    return [{ ...change, arguments: bounded(places) }];
  });

export const bounded = (names: readonly string[], most = MOST_NAMED): readonly string[] =>
  names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names;

/** A place among the arguments as people write it: `/properties/a/items/properties/b` is `a[].b`. */
export const placeName = (pointer: string): string => {
  const keys = pointer.split('/').slice(1);
  let name = '';
  for (let at = 0; at < keys.length; at += 1) {
    const keyword = keys[at];
    if (keyword === 'properties' || keyword === '$defs') {
      at += 1;
      name += `${name === '' ? '' : '.'}${keys[at] ?? ''}`;
    } else if (keyword === 'items') name += '[]';
    else if (keyword === 'additionalProperties') name += '.*';
    else {
      at += 1;
      if (keyword === 'prefixItems') name += `[${keys[at] ?? ''}]`;
      if (keyword === 'patternProperties') name += '.*';
    }
  }
  return name;
};
