import { toolTokens } from '../model-apis/token-estimate.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { CompiledTool } from '../tool-index.ts';
import type { Description, FoundOperation } from '../document.ts';
import { type FittedTool, FRAME_BYTES, type ListBounds } from '../fit/fit-tools.ts';
import {
  type DescribedAnswer,
  LAST_OUTPUT_LEVEL,
  type MeasuredOutput,
  type OutputAt,
  outputReader,
} from './read-outputs.ts';

export interface OutputOptions {
  /** Whether the tool of an operation is to have structured output. */
  readonly isWanted: (operation: CompiledTool['operation']) => boolean;
  /** Of each tool, roughly; absent: any number. */
  readonly tokenBudget?: number | undefined;
  readonly bounds: ListBounds;
}

export interface ToolsWithOutput {
  readonly tools: readonly FittedTool[];
  /** One for each output that there is no room for. */
  readonly warnings: readonly Finding[];
}

/**
 * Gives tools their output, each in the greatest detail that its budget has room for beside what the tool
 * is already, and all of them in no more than their list has room for. Nothing else of a tool changes.
 *
 * @param operations - those of the tools, in their order
 *
 * Source: docs/tools.md, "Structured output".
 */
export const withOutputs = (
  description: Description,
  operations: readonly FoundOperation[],
  tools: readonly FittedTool[],
  { isWanted, tokenBudget = Infinity, bounds }: OutputOptions,
): ToolsWithOutput => {
  const read = outputReader(description);
  const wanted = tools.map((fitted, index): Wanted => {
    const operation = operations[index];
    if (!operation || !isWanted(fitted.tool.operation)) return { fitted, pointer: '' };
    const tokens = tokenBudget - toolTokens(fitted.tool.listed);
    return { fitted, pointer: operation.pointer, answer: read(operation), tokens };
  });
  const used = tools.reduce((sum, { tool }) => sum + bounds.sizeOf(tool), FRAME_BYTES);
  const room = bounds.maxBytes - used;

  for (let level = 0; level < LAST_OUTPUT_LEVEL; level += 1) {
    const fitted = fitAll(wanted, level, room, bounds);
    if (!fitted.isCut) return fitted;
  }
  return fitAll(wanted, LAST_OUTPUT_LEVEL, room, bounds);
};

interface Wanted {
  readonly fitted: FittedTool;
  /** Of the operation. */
  readonly pointer: string;
  /** Absent: there is to be no output. */
  readonly answer?: DescribedAnswer;
  /** That the tool has left. */
  readonly tokens?: number;
}

const fitAll = (
  wanted: readonly Wanted[],
  level: number,
  room: number,
  { sizeOf }: ListBounds,
): ToolsWithOutput & { readonly isCut: boolean } => {
  const warnings: Finding[] = [];
  let left = room;
  let isCut = false;
  const tools = wanted.map(({ fitted, pointer, answer, tokens = 0 }): FittedTool => {
    if (!answer) return fitted;
    if (answer.kind !== 'one') return noted(fitted, REASONS[answer.kind]);
    const { tool } = fitted;
    const output = greatest(answer.at, level, tokens)?.output;
    const size = output ? sizeOf({ ...tool, output }) - sizeOf(tool) : 0;
    if (output && size <= left) {
      left -= size;
      return { ...fitted, tool: { ...tool, output } };
    }
    isCut ||= output !== undefined;
    const why = output ? REASONS.list : REASONS.budget;
    warnings.push({ where: pointer, what: `${tool.name} ${NO_OUTPUT}: ${why}`, hint: HINT });
    return noted(fitted, why);
  });
  return { tools, warnings, isCut };
};

const greatest = (at: OutputAt, from: number, tokens: number): MeasuredOutput | undefined => {
  for (let level = from; level <= LAST_OUTPUT_LEVEL; level += 1) {
    const output = at(level);
    if (output && output.tokens <= tokens) return output;
  }
  return undefined;
};

const NO_OUTPUT = 'has no output schema';

const REASONS = {
  none: 'the description says nothing of the form of a JSON answer',
  several: 'several different answers are described',
  budget: 'there is no room for it in the budget of the tool',
  list: 'there is no room for it in the list of all tools',
} as const;

const HINT =
  'Nothing has to be done: its results are as they are without. `tool_token_budget` sets how many tokens a tool may take.';

const noted = (fitted: FittedTool, why: string): FittedTool => ({
  ...fitted,
  notes: [...fitted.notes, { what: NO_OUTPUT, why }],
});
