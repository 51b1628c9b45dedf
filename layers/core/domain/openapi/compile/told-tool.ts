import type { Finding } from '../../refusal.ts';
import { estimateTokens } from '../../token-estimate.ts';
import type { IndexedTool } from '../../tool-index.ts';
import type { ToolNote } from '../../tool-note.ts';
import type { Detail } from './detail.ts';
import type { DraftTool } from './draft-tool.ts';
import type { LaidOut } from './layout.ts';
import { isCut, type Losses, lossesInWords, lossNotes } from './losses.ts';
import { notesOn } from './places.ts';
import { sentences, shortened } from './texts.ts';

/** A tool as a model sees it in some detail, and what that takes. */
export interface ToldTool {
  readonly level: number;
  readonly laidOut: LaidOut;
  readonly losses: Losses;
  /** JSON text. */
  readonly shown: string;
  readonly tokens: number;
}

export interface WrittenTool {
  readonly tool: IndexedTool;
  readonly notes: readonly ToolNote[];
  /** Says so if it had to be shortened to its budget, or could not be told in full. */
  readonly warning?: Finding;
}

/** Some model APIs take no more. */
const MAX_DESCRIPTION = 1024;
const MAX_NOTES = 512;

export const toldIn = (
  { name, description, notes }: DraftTool,
  level: number,
  detail: Detail,
  laidOut: LaidOut,
): ToldTool => {
  // The notes tell how to call the tool: they are kept rather than the description.
  const said = shortened(sentences(...notes) ?? '', MAX_NOTES);
  const text = shortened(description, Math.min(detail.tool, MAX_DESCRIPTION - 1 - said.length));
  const { inputSchema, losses } = laidOut;
  const words = JSON.stringify({ name, description: sentences(text, said) });
  const shown = `${words.slice(0, -1)},"inputSchema":${inputSchema}}`;
  return {
    level,
    laidOut,
    losses: { ...losses, texts: losses.texts + (text === description ? 0 : 1) },
    shown,
    tokens: estimateTokens(shown),
  };
};

/** What a tool would have taken more than in greater detail. */
export interface Exceeded {
  readonly most: number;
  readonly unit: 'tokens' | 'characters';
}

/** @param exceeded - if that is why it is told in no greater detail */
export const finished = (draft: DraftTool, told: ToldTool, exceeded?: Exceeded): WrittenTool => {
  const { name, title, operation } = draft;
  const { laidOut, losses, shown } = told;
  const { wireNames, changes } = laidOut;
  const annotations = { ...(title === undefined ? {} : { title }), ...hintsOf(operation.method) };
  const isRenamed = Object.keys(wireNames).length > 0;
  return {
    tool: {
      name,
      listed: `${shown.slice(0, -1)},"annotations":${JSON.stringify(annotations)}}`,
      operation: { ...operation, ...(isRenamed ? { wireNames } : {}) },
    },
    notes: [...draft.changes, ...notesOn(changes), ...lossNotes(losses, reason(told, exceeded))],
    ...(exceeded || isCut(losses) ? { warning: warning(draft, told, exceeded) } : {}),
  };
};

/** Source: MCP 2025-03-26, "ToolAnnotations"; RFC 9110 §9.2. */
const hintsOf = (method: string) => ({
  readOnlyHint: ['GET', 'HEAD', 'QUERY'].includes(method),
  destructiveHint: method === 'DELETE',
  idempotentHint: ['GET', 'HEAD', 'QUERY', 'PUT', 'DELETE'].includes(method),
  openWorldHint: true,
});

const reason = ({ level }: ToldTool, exceeded: Exceeded | undefined): string => {
  if (exceeded) return `in full the tool takes more than ${exceeded.most} ${exceeded.unit}`;
  return level > 0
    ? 'the list of all tools would be too large'
    : 'it is long, and hardly needed to make a call';
};

const SENT = 'Nothing has to be done: what is left out is sent as it is given.';

const warning = (
  { name, pointer: where }: DraftTool,
  { losses, tokens }: ToldTool,
  exceeded: Exceeded | undefined,
): Finding => {
  const lost = lossesInWords(losses);
  if (!exceeded) return { where, what: `${name} is cut: ${lost}`, mend: SENT };
  const { most, unit } = exceeded;
  const isStillLarge = unit === 'tokens' && tokens > most;
  const state = isStillLarge
    ? `${name} takes about ${tokens} tokens, more than ${most}, although it is shortened`
    : `${name} is shortened from more than ${most} ${unit} to about ${tokens} tokens`;
  const mend = `${SENT} \`tool_token_budget\` sets how many tokens a tool may take.`;
  return { where, what: `${state}: ${lost}`, mend };
};
