import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { finding } from '../intake/findings.ts';
import type { DraftTool } from '../operation/draft-tool.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import {
  describeOmissions,
  type Detail,
  detailAt,
  groupedNotes,
  isCut,
  LAST_LEVEL,
  omissionNotes,
  type Omissions,
} from './shortening.ts';
import { emitInputSchema, type EmittedSchema } from './emit-schema.ts';
import { sharingPolicies, type SharingPolicy } from './definitions.ts';
import type { ToolMode } from '../tool-mode.ts';
import { type CompiledTool, type ListedTool, toIndexedTool } from '../tool-index.ts';
import { estimateTokens } from '../model-apis/token-estimate.ts';
import type { ToolNote } from '../tool-note.ts';
import { sentences, shortened } from '../schema/texts.ts';

/**
 * Renders a tool at the given level of detail, or at the first later one that fits its token budget, or at the last.
 */
export type ToolFitter = (draft: DraftTool, level: number) => FittedTool;

interface ToolSize {
  /** Estimated tokens that one tool may take; absent: no limit. */
  readonly tokenBudget?: number | undefined;
  /** Characters of arguments that no tool may exceed, whatever its budget. */
  readonly maxCharacters: number;
}

export const FEWER_OPERATIONS =
  'Choose fewer operations (`operations.include`, `operations.exclude`)';

/** Characters of arguments up to which every component is inlined. */
const MAX_WRITTEN_OUT = 16_000;
/** Characters emitted for all tools at all levels of detail: five seconds of work, 25 times the largest real API. */
const MAX_EMITTED = 50_000_000;
/** Upper bound for the average token, to stop early. */
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

/** Size limit for all tools together: of the list sent to clients, or of the index in a router's memory. */
export interface ListBounds {
  readonly maxBytes: number;
  readonly sizeOf: (tool: CompiledTool) => number;
  readonly hint: string;
}

/** All tools at one level of detail, of which 0 is full. */
interface FittedList {
  readonly tools: readonly FittedTool[];
  readonly level: number;
}

/** @param maxBytes - overrides the limit of the mode */
export const listBounds = (toolMode: ToolMode, maxBytes?: number): ListBounds => ({
  ...BOUNDS[toolMode],
  ...(maxBytes !== undefined && { maxBytes }),
});

const BOUNDS: Readonly<Record<ToolMode, ListBounds>> = {
  // Size of the `tools/list` result. Source: docs/tools.md, "Budgets".
  operations: {
    maxBytes: 5_000_000,
    sizeOf: ({ listed, output }) =>
      bytesWithComma(listed) + (output ? Buffer.byteLength(output.schema) + MEMBER_BYTES : 0),
    hint: `${FEWER_OPERATIONS}, or publish with \`tool_mode: "search"\`.`,
  },
  // Size of the whole index: clients see only the tools they ask for.
  search: {
    maxBytes: 32_000_000,
    sizeOf: (tool) => bytesWithComma(toIndexedTool(tool)),
    hint: `${FEWER_OPERATIONS}.`,
  },
};

const bytesWithComma = (value: object): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** Length of `,"outputSchema":`. */
const MEMBER_BYTES = 16;

/** Bytes of a `tools/list` result around the tools. */
export const FRAME_BYTES = 200;

/** Fits all tools into their bounds with most detail, or throws ApiRefusal `tool_list_too_large`. */
export const fitList = (
  drafts: readonly DraftTool[],
  fit: ToolFitter,
  bounds: ListBounds,
): FittedList => {
  for (let level = 0; ; level += 1) {
    const tools: FittedTool[] = [];
    const sizes: number[] = [];
    let bytes = FRAME_BYTES;
    for (const draft of drafts) {
      const fitted = fit(draft, level);
      const size = bounds.sizeOf(fitted.tool);
      bytes += size;
      sizes.push(size);
      // Too large at this level: stop early, except at the last one, whose full size the refusal names.
      if (bytes <= bounds.maxBytes) tools.push(fitted);
      else if (level < LAST_LEVEL) break;
    }
    if (bytes <= bounds.maxBytes) return { tools, level };
    if (level === LAST_LEVEL) throw tooLarge(drafts, sizes, bytes, bounds);
  }
};

const tooLarge = (
  drafts: readonly DraftTool[],
  sizes: readonly number[],
  bytes: number,
  { maxBytes, hint }: ListBounds,
): ApiRefusal => {
  const largest = sizes
    .map((size, index) => ({ size, where: drafts[index]?.pointer ?? '' }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 5);
  return new ApiRefusal(
    'tool_list_too_large',
    `The list of ${drafts.length} tools takes ${kilobytes(bytes)}, even with short texts; at most ${kilobytes(maxBytes)} fit.`,
    largest.map(({ size, where }) =>
      finding(where, `takes ${kilobytes(size)}, one of the largest`, hint),
    ),
  );
};

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} KB`;

interface RenderedTool {
  readonly shown: Omit<ListedTool, 'annotations'>;
  readonly tokens: number;
  readonly emitted: EmittedSchema;
  readonly omissions: Omissions;
}

export interface FittedTool {
  readonly tool: CompiledTool;
  readonly notes: readonly ToolNote[];
  /** Set if the tool was shortened to its budget, or is not shown in full. */
  readonly warning?: Finding;
}

/** Characters of a description: some model APIs refuse longer ones. */
const MAX_DESCRIPTION = 1024;
const MAX_NOTES = 512;

const renderTool = (
  { name, description, notes }: DraftTool,
  detail: Detail,
  emitted: EmittedSchema,
): RenderedTool => {
  // Notes tell how to call the tool, so the description is shortened rather than they.
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

/** The limit for which a tool is shortened. */
type Shortage =
  | { readonly unit: 'tokens' | 'characters'; readonly most: number }
  | 'list of all tools';

/** @param shortage - absent for full detail */
const toFittedTool = (
  draft: DraftTool,
  rendered: RenderedTool,
  shortage?: Shortage,
): FittedTool => {
  const { name, title, operation } = draft;
  const { emitted, omissions, shown } = rendered;
  const { wireNames, unlisted, changes } = emitted;
  const defaults = { ...operation.defaults, ...emitted.defaults };
  const titled = title === undefined ? {} : { title };
  const annotations = { ...titled, ...draft.hints };
  const isRenamed = Object.keys(wireNames).length > 0;
  const isOverBudget = shortage !== undefined && shortage !== 'list of all tools';
  return {
    tool: {
      name,
      listed: { ...shown, ...titled, annotations },
      operation: {
        ...operation,
        ...(isRenamed ? { wireNames } : {}),
        ...(Object.keys(defaults).length > 0 ? { defaults } : {}),
        ...(Object.keys(unlisted).length > 0 && { unlisted }),
      },
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
