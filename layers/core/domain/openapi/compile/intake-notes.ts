import type { Finding } from '../../refusal.ts';
import type { ToolNote } from '../../tool-note.ts';
import { type Description, type FoundOperation, isObject, member, pointerTo } from '../document.ts';

/** What intake noticed of one operation, or of its path: a path item may stand elsewhere, too. */
export const intakeNotes = (
  { root, warnings }: Description,
  { method, path, pointer }: FoundOperation,
): readonly ToolNote[] => {
  const paths = member(root, 'paths');
  const listed = isObject(paths) ? member(paths, path) : undefined;
  const ref = isObject(listed) ? member(listed, '$ref') : undefined;
  const items = [pointerTo('paths', path), ...(typeof ref === 'string' ? [ref.slice(1)] : [])];
  const places = [
    pointer,
    ...items.flatMap((item) => [`${item}/${method.toLowerCase()}`, `${item}/parameters`]),
  ];
  return warnings
    .filter(({ where }) => places.some((place) => where === place || where.startsWith(`${place}/`)))
    .map(noteOf);
};

export const noteOf = ({ what, mend }: Finding): ToolNote => ({ what, why: mend });
