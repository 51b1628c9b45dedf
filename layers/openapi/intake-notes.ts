import type { Finding } from '../platform/rules/refusal/api-refusal.ts';
import type { ToolNote } from './tool-note.ts';
import { isObject, member } from '../platform/rules/json/json.ts';
import { pointerTo } from '../platform/rules/json/pointer.ts';
import type { Description, FoundOperation } from './document.ts';

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
      const pointerAbove = `/${keys.slice(0, count).join('/')}`;
      const known = within.get(pointerAbove);
      if (known) known.push(warning);
      else within.set(pointerAbove, [warning]);
    }
  }
  const paths = member(root, 'paths');
  return ({ method, path, pointer }) => {
    const pathItem = isObject(paths) ? member(paths, path) : undefined;
    const ref = isObject(pathItem) ? member(pathItem, '$ref') : undefined;
    const items = [pointerTo('paths', path), ...(typeof ref === 'string' ? [ref.slice(1)] : [])];
    const pointers = new Set([
      pointer,
      ...items.flatMap((item) => [`${item}/${method.toLowerCase()}`, `${item}/parameters`]),
    ]);
    return [...pointers].flatMap((one) => within.get(one) ?? []).map(noteOf);
  };
};

export const noteOf = ({ what, hint }: Finding): ToolNote => ({ what, why: hint });
