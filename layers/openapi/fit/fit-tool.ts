import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { finding } from '../intake/findings.ts';
import type { DraftTool } from '../operation/draft-tool.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { detailAt, LAST_LEVEL } from './detail.ts';
import { emitInputSchema } from './emit-input-schema.ts';
import {
  type FittedTool,
  type RenderedTool,
  renderTool,
  type Shortage,
  toFittedTool,
} from './render-tool.ts';
import { sharingPolicies, type SharingPolicy } from './sharing-policy.ts';

/**
 * Renders a tool at a level of detail: at a later one where it would be too large for a model. The last
 * level is taken whatever its size.
 */
export type ToolFitter = (draft: DraftTool, level: number) => FittedTool;

export interface ToolSize {
  /** Tokens that one tool may take, roughly; absent: as many as it takes. */
  readonly tokenBudget?: number | undefined;
  /** Characters of arguments that are too many in any case. */
  readonly maxCharacters: number;
}

export const FEWER_OPERATIONS =
  'Choose fewer operations (`operations.include`, `operations.exclude`)';

/** Characters of arguments up to which every component is written out where it is used. */
const MAX_WRITTEN_OUT = 16_000;
/**
 * Characters of all tools in all levels of detail, about five seconds of work: operations that share a large
 * body are many of few bytes. Of real descriptions the largest take two million.
 */
const MAX_EMITTED = 50_000_000;
/** More characters than this are never one token on average: to leave off early. */
const MAX_CHARACTERS_PER_TOKEN = 8;

export const toolFitter = (
  schemas: Pick<Schemas, 'component'>,
  { tokenBudget = Infinity, maxCharacters }: ToolSize,
): ToolFitter => {
  const { onlyRecursive, repeatedIn } = sharingPolicies(schemas);
  const most = Math.min(maxCharacters, tokenBudget * MAX_CHARACTERS_PER_TOKEN);
  const overBudget: Shortage =
    tokenBudget === Infinity
      ? { most: maxCharacters, unit: 'characters' }
      : { most: tokenBudget, unit: 'tokens' };

  const render = (draft: DraftTool, level: number, sharing: SharingPolicy, max: number) => {
    const detail = detailAt(level);
    const emitted = emitInputSchema(
      { schemas, detail, sharing, maxCharacters: Math.min(max, left), spend },
      draft.args,
    );
    return emitted && renderTool(draft, detail, emitted);
  };
  let left = MAX_EMITTED;
  const spend = (characters: number): void => {
    left -= characters;
    if (left < 0) throw tooMuchWork();
  };
  const fits = (tool: RenderedTool | undefined): tool is RenderedTool =>
    tool !== undefined && tool.tokens <= tokenBudget;

  return (draft, level) => {
    const shortage = level === 0 ? undefined : 'list of all tools';
    const writtenOut = render(draft, level, onlyRecursive, Math.min(MAX_WRITTEN_OUT, most));
    if (fits(writtenOut)) return toFittedTool(draft, writtenOut, shortage);

    const sharing = repeatedIn(draft.args);
    for (let at = level; at < LAST_LEVEL; at += 1) {
      const shared = render(draft, at, sharing, most);
      if (fits(shared)) return toFittedTool(draft, shared, at === level ? shortage : overBudget);
    }
    const least = render(draft, LAST_LEVEL, sharing, Infinity);
    if (!least) throw new Error('nothing is too large without a limit');
    const isWanted = level === LAST_LEVEL && fits(least);
    return toFittedTool(draft, least, isWanted ? shortage : overBudget);
  };
};

const tooMuchWork = (): ApiRefusal =>
  new ApiRefusal('tool_list_too_large', 'The tools take too long to be written.', [
    finding(
      '',
      `their arguments take more than ${MAX_EMITTED} characters in all levels of detail that were tried`,
      `${FEWER_OPERATIONS}, or let them refer to smaller schemas.`,
    ),
  ]);
