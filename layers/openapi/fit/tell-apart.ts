import type { DraftTool } from '../operation/draft-tool.ts';
import { fitList, type FittedTool, type ListBounds, type ToolFitter } from './fit-tools.ts';

/** Rounds until no two texts are alike: shortening can make texts alike, and adding to them shortens others. */
const MOST_ROUNDS = 4;

/**
 * Fits all tools into their bounds with distinct descriptions, since models see only names and descriptions: tools that
 * read alike get method and path added.
 * @throws ApiRefusal as `fitList` does
 */
export const fitApart = (
  drafts: readonly DraftTool[],
  fit: ToolFitter,
  bounds: ListBounds,
): ReturnType<typeof fitList> => {
  const remembered = remembering(fit);
  let open = distinguished(drafts, ({ description }) => description);
  for (let round = 1; ; round += 1) {
    const list = fitList(open, remembered, bounds);
    const shown = new Map(
      open.map((draft, index) => [draft, list.tools[index]?.tool.listed.description]),
    );
    const next = distinguished(open, (draft) => shown.get(draft) ?? '');
    if (next === open || round === MOST_ROUNDS) return list;
    open = next;
  }
};

const asRead = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}{}/?&=]+/u)
    .join(' ')
    .trim()
    .toLowerCase();

/** Adds method and path to drafts that read alike; returns the same array where there are none. */
const distinguished = (
  drafts: readonly DraftTool[],
  textOf: (draft: DraftTool) => string,
): readonly DraftTool[] => {
  const saysDifference = ({ notes, difference, description }: DraftTool): boolean =>
    notes[0] === difference || `(${description})` === difference;
  const alike = new Set(
    [...Map.groupBy(drafts, (draft) => asRead(textOf(draft))).values()]
      .filter(({ length }) => length > 1)
      .flat(),
  );
  if ([...alike].every(saysDifference)) return drafts;
  return drafts.map((draft) =>
    alike.has(draft) && !saysDifference(draft)
      ? { ...draft, notes: [draft.difference, ...draft.notes] }
      : draft,
  );
};

/** Caches fitted tools: most drafts do not change between rounds. */
const remembering = (fit: ToolFitter): ToolFitter => {
  const known = new WeakMap<DraftTool, Map<number, FittedTool>>();
  return (draft, level) => {
    const levels = known.get(draft) ?? new Map<number, FittedTool>();
    known.set(draft, levels);
    const fitted = levels.get(level) ?? fit(draft, level);
    levels.set(level, fitted);
    return fitted;
  };
};
