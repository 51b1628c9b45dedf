import { DETAILS, LEAST_DETAIL } from './detail.ts';
import type { DraftTool } from './draft-tool.ts';
import { layOut, type Space } from './layout.ts';
import { type LinkedSchema, partsOf } from './linked-schema.ts';
import { inevitability, recursionOf, usesFinder } from './recursion.ts';
import type { Schemas } from './schemas.ts';
import { type Exceeded, finished, toldIn, type ToldTool, type WrittenTool } from './told-tool.ts';
import type { Written } from './written-once.ts';

/** Writes a tool in at most the given detail: less where it would be too large for a model. */
export type ToolWriter = (draft: DraftTool, detail: number) => WrittenTool;

export interface ToolSize {
  /** Tokens that one tool may take, roughly; absent: as many as it takes. */
  readonly tokenBudget?: number | undefined;
  /** Characters of arguments that are too many in any case. */
  readonly maxCharacters: number;
}

/** Which components a tool writes once. */
type Sharing = Pick<Space, 'isDefined' | 'isRecursive' | 'leadsOn'>;

/** Characters of arguments up to which every component is written where it is used. */
const MAX_INLINE = 16_000;
/** Components that take no more than this are not worth a definition. */
const SMALL = 300;
/** More characters than this are never one token on average: to leave off early. */
const MAX_CHARACTERS_PER_TOKEN = 8;

export const toolWriter = (
  schemas: Schemas,
  { tokenBudget = Infinity, maxCharacters }: ToolSize,
): ToolWriter => {
  const isRecursive = recursionOf(schemas);
  const leadsOn = inevitability(schemas);
  const usesOf = usesFinder(schemas);
  const most = Math.min(maxCharacters, tokenBudget * MAX_CHARACTERS_PER_TOKEN);
  const exceeded: Exceeded =
    tokenBudget === Infinity
      ? { most: maxCharacters, unit: 'characters' }
      : { most: tokenBudget, unit: 'tokens' };
  const small = new Map<string, boolean>();
  const isSmall = (ref: string): boolean => {
    const known = small.get(ref) ?? isSmallSchema(schemas.component(ref));
    small.set(ref, known);
    return known;
  };
  const writtenBefore = new Map<number, Map<LinkedSchema, Written>>();
  const writtenAt = (level: number): Map<LinkedSchema, Written> => {
    const written = writtenBefore.get(level) ?? new Map<LinkedSchema, Written>();
    writtenBefore.set(level, written);
    return written;
  };
  const inline = { isDefined: isRecursive, isRecursive, leadsOn };
  const sharing = (draft: DraftTool): Sharing => {
    const uses = usesOf(draft.args.map(({ schema }) => schema));
    const isRepeated = (ref: string) => (uses.get(ref) ?? 0) > 1;
    const isDefined = (ref: string) => isRecursive(ref) || (isRepeated(ref) && !isSmall(ref));
    return { ...inline, isDefined };
  };

  /** At this level of detail, the first of the spaces that does; what the last makes does at the end. */
  const told = (
    draft: DraftTool,
    level: number,
    spaces: readonly (() => Space)[],
  ): ToldTool | undefined => {
    const detail = DETAILS[level];
    if (!detail) throw new Error('there is no such detail');
    const isLast = level === LEAST_DETAIL;
    for (const [index, space] of spaces.entries()) {
      const laidOut = layOut(schemas, draft.args, detail, space());
      const tool = laidOut && toldIn(draft, level, detail, laidOut);
      const mustDo = isLast && index === spaces.length - 1;
      if (tool && (tool.tokens <= tokenBudget || mustDo)) return tool;
    }
    return undefined;
  };

  return (draft, level) => {
    let shared: Sharing | undefined;
    const at = (wanted: number): ToldTool | undefined => {
      const max = wanted === LEAST_DETAIL ? Infinity : most;
      const written = writtenAt(wanted);
      return told(draft, wanted, [
        () => ({ ...inline, max: Math.min(MAX_INLINE, max), written, isWrittenAlike: true }),
        () => ({ ...(shared ??= sharing(draft)), max, written, isWrittenAlike: false }),
      ]);
    };
    const wanted = at(level);
    if (wanted && wanted.tokens <= tokenBudget) return finished(draft, wanted);
    return finished(draft, greatest(at, Math.min(level + 1, LEAST_DETAIL)), exceeded);
  };
};

/** The greatest detail in which there is something, found in few tries: each less takes less room. */
const greatest = (at: (level: number) => ToldTool | undefined, from: number): ToldTool => {
  let [low, high] = [from, LEAST_DETAIL];
  let found: ToldTool | undefined;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const tool = at(middle);
    if (tool) found = tool;
    if (tool) high = middle - 1;
    else low = middle + 1;
  }
  if (!found) throw new Error('the least detail always does');
  return found;
};

/** Plain values, or lists of them. */
const isSmallSchema = (schema: LinkedSchema): boolean => {
  const inside = partsOf(schema);
  const isFlat = inside.every((part) => part.ref === undefined && partsOf(part).length === 0);
  return isFlat && JSON.stringify(schema).length <= SMALL;
};
