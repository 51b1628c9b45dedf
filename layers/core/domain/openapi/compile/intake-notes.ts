import type { Finding } from '../../refusal.ts';
import type { ToolNote } from '../../tool-note.ts';
import { type Description, type FoundOperation, isObject, member, pointerTo } from '../document.ts';

/** Keys of the deepest place that is asked for: `/components/pathItems/Pets/get`. */
const MOST_KEYS = 4;

/** What intake noticed of one operation, or of its path: a path item may stand elsewhere, too. */
export const intakeNotes = ({
  root,
  warnings,
}: Description): ((found: FoundOperation) => readonly ToolNote[]) => {
  const within = new Map<string, Finding[]>();
  for (const warning of warnings) {
    const keys = warning.where.split('/').slice(1, 1 + MOST_KEYS);
    for (let count = 1; count <= keys.length; count += 1) {
      const place = `/${keys.slice(0, count).join('/')}`;
      const known = within.get(place);
      if (known) known.push(warning);
      else within.set(place, [warning]);
    }
  }
  const paths = member(root, 'paths');
  return ({ method, path, pointer }) => {
    const listed = isObject(paths) ? member(paths, path) : undefined;
    const ref = isObject(listed) ? member(listed, '$ref') : undefined;
    const items = [pointerTo('paths', path), ...(typeof ref === 'string' ? [ref.slice(1)] : [])];
    const places = new Set([
      pointer,
      ...items.flatMap((item) => [`${item}/${method.toLowerCase()}`, `${item}/parameters`]),
    ]);
    return [...places].flatMap((place) => within.get(place) ?? []).map(noteOf);
  };
};

export const noteOf = ({ what, mend }: Finding): ToolNote => ({ what, why: mend });
