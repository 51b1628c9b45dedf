import type { ToolMode } from '../tool-mode.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { type CompiledTool, toIndexedTool } from '../tool-index.ts';
import { finding } from '../intake/findings.ts';
import type { DraftTool } from '../operation/draft-tool.ts';
import { LAST_LEVEL } from './detail.ts';
import { FEWER_OPERATIONS, type ToolFitter } from './fit-tool.ts';
import type { FittedTool } from './render-tool.ts';

/** What all tools together may take: what a client is sent, or what the router keeps in memory. */
export interface ListBounds {
  readonly maxBytes: number;
  readonly sizeOf: (tool: CompiledTool) => number;
  readonly hint: string;
}

/** Tools at one level of detail, which is 0 where all is told. */
export interface FittedList {
  readonly tools: readonly FittedTool[];
  readonly level: number;
}

/** @param maxBytes - the limit, where it is to be another */
export const listBounds = (toolMode: ToolMode, maxBytes?: number): ListBounds => ({
  ...BOUNDS[toolMode],
  ...(maxBytes !== undefined && { maxBytes }),
});

const BOUNDS: Readonly<Record<ToolMode, ListBounds>> = {
  // The whole `tools/list`. Source: docs/tools.md, "Budgets".
  operations: {
    maxBytes: 5_000_000,
    sizeOf: ({ listed, output }) =>
      bytesWithComma(listed) + (output ? Buffer.byteLength(output.schema) + MEMBER_BYTES : 0),
    hint: `${FEWER_OPERATIONS}, or publish with \`tool_mode: "search"\`.`,
  },
  // The whole index. A tool of it is shown to nobody but those who ask for it.
  search: {
    maxBytes: 32_000_000,
    sizeOf: (tool) => bytesWithComma(toIndexedTool(tool)),
    hint: `${FEWER_OPERATIONS}.`,
  },
};

const bytesWithComma = (value: object): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** `,"outputSchema":` */
const MEMBER_BYTES = 16;

/** What stands around the tools in an answer. */
export const FRAME_BYTES = 200;

/**
 * Fits all tools into their bounds, at the greatest level of detail that does.
 *
 * @throws ApiRefusal `tool_list_too_large` if not even the least detail does
 */
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
      // What is too much is not kept; the last try goes on, to tell how much too much it is.
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
