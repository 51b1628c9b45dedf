import type { Change, ToolNote } from '../tool-note.ts';

/** Something that is said otherwise than in the description. */
export interface ChangeAt {
  /** JSON pointer into the tool's `inputSchema`. */
  readonly pointer: string;
  readonly change: Change;
}

/** Arguments named in one note; the others are counted. */
const MOST_NAMED = 12;

/** One note for each kind of change, with the arguments it was made to. */
export const groupedNotes = (changes: readonly ChangeAt[]): readonly ToolNote[] =>
  [...Map.groupBy(changes, ({ change: { what, why } }) => `${what}\0${why}`).values()].flatMap(
    (group) => {
      const [first] = group;
      if (!first) return [];
      const paths = [...new Set(group.map(({ pointer }) => argumentPath(pointer)))];
      return [{ ...first.change, arguments: bounded(paths) }];
    },
  );

export const bounded = (names: readonly string[], most = MOST_NAMED): readonly string[] =>
  names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names;

/** A place among the arguments as people write it: `/properties/a/items/properties/b` is `a[].b`. */
export const argumentPath = (pointer: string): string => {
  const keys = pointer.split('/').slice(1);
  let path = '';
  for (let at = 0; at < keys.length; at += 1) {
    const keyword = keys[at];
    if (keyword === 'properties' || keyword === '$defs') {
      at += 1;
      path += `${path === '' ? '' : '.'}${keys[at] ?? ''}`;
    } else if (keyword === 'items') path += '[]';
    else if (keyword === 'additionalProperties') path += '.*';
    else {
      at += 1;
      if (keyword === 'prefixItems') path += `[${keys[at] ?? ''}]`;
      if (keyword === 'patternProperties') path += '.*';
    }
  }
  return path;
};
