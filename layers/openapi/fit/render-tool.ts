import { estimateTokens } from '../model-apis/token-estimate.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { CompiledTool, ListedTool } from '../tool-index.ts';
import type { ToolNote } from '../tool-note.ts';
import type { DraftTool } from '../operation/draft-tool.ts';
import { sentences, shortened } from '../schema/texts.ts';
import { groupedNotes } from './argument-notes.ts';
import type { Detail } from './detail.ts';
import type { EmittedSchema } from './emit-input-schema.ts';
import { describeOmissions, isCut, omissionNotes, type Omissions } from './omissions.ts';

/** A tool as a model sees it in some detail. */
export interface RenderedTool {
  readonly shown: Omit<ListedTool, 'annotations'>;
  /** Roughly. */
  readonly tokens: number;
  readonly emitted: EmittedSchema;
  readonly omissions: Omissions;
}

/** A tool that is ready to be published, and what its owner should know of it. */
export interface FittedTool {
  readonly tool: CompiledTool;
  readonly notes: readonly ToolNote[];
  /** Says so if it had to be shortened to its budget, or could not be told in full. */
  readonly warning?: Finding;
}

/** Some model APIs take no more. */
const MAX_DESCRIPTION = 1024;
const MAX_NOTES = 512;

export const renderTool = (
  { name, description, notes }: DraftTool,
  detail: Detail,
  emitted: EmittedSchema,
): RenderedTool => {
  // The notes tell how to call the tool: they are kept rather than the description.
  const note = shortened(sentences(...notes) ?? '', MAX_NOTES);
  const text = shortened(description, Math.min(detail.tool, MAX_DESCRIPTION - 1 - note.length));
  const { inputSchema, omissions } = emitted;
  const words = sentences(text, note);
  const shown = { name, ...(words === undefined ? {} : { description: words }), inputSchema };
  return {
    shown,
    tokens: estimateTokens(JSON.stringify(shown)),
    emitted,
    omissions: { ...omissions, texts: omissions.texts + (text === description ? 0 : 1) },
  };
};

/** Why a tool is in less detail than in full. */
export type Shortage =
  { readonly unit: 'tokens' | 'characters'; readonly most: number } | 'list of all tools';

/** @param shortage - absent: it is in full */
export const toFittedTool = (
  draft: DraftTool,
  rendered: RenderedTool,
  shortage?: Shortage,
): FittedTool => {
  const { name, title, operation } = draft;
  const { emitted, omissions, shown } = rendered;
  const { wireNames, changes } = emitted;
  const titled = title === undefined ? {} : { title };
  const annotations = { ...titled, ...draft.hints };
  const isRenamed = Object.keys(wireNames).length > 0;
  const isOverBudget = shortage !== undefined && shortage !== 'list of all tools';
  return {
    tool: {
      name,
      listed: { ...shown, ...titled, annotations },
      operation: { ...operation, ...(isRenamed ? { wireNames } : {}) },
    },
    notes: [
      ...draft.changes,
      ...groupedNotes(changes),
      ...omissionNotes(omissions, reasonFor(shortage)),
    ],
    ...(isOverBudget || isCut(omissions) ? { warning: warning(draft, rendered, shortage) } : {}),
  };
};

const reasonFor = (shortage: Shortage | undefined): string => {
  if (shortage === undefined) return 'it is long, and hardly needed to make a call';
  return shortage === 'list of all tools'
    ? 'the list of all tools would be too large'
    : `in full the tool takes more than ${shortage.most} ${shortage.unit}`;
};

const SENT = 'Nothing has to be done: what is left out is sent as it is given.';

const warning = (
  { name, pointer: where }: DraftTool,
  { omissions, tokens }: RenderedTool,
  shortage: Shortage | undefined,
): Finding => {
  const omitted = describeOmissions(omissions);
  if (shortage === undefined || shortage === 'list of all tools') {
    return { where, what: `${name} is cut: ${omitted}`, hint: SENT };
  }
  const { most, unit } = shortage;
  const isStillLarge = unit === 'tokens' && tokens > most;
  const state = isStillLarge
    ? `${name} takes about ${tokens} tokens, more than ${most}, although it is shortened`
    : `${name} is shortened from more than ${most} ${unit} to about ${tokens} tokens`;
  const hint = `${SENT} \`tool_token_budget\` sets how many tokens a tool may take.`;
  return { where, what: `${state}: ${omitted}`, hint };
};
