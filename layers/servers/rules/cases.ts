import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { listedTool, type ToolIndex } from '../../openapi/tool-index.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { described, line, lines, type ValueOf } from '../../platform/rules/shape.ts';
import { contentRevision } from '../../deployments/rules/content-revision.ts';

const optional = z.exactOptional;

/** A request in a person's words, and the tool call that a model should make. Source: docs/evaluation.md. */
export const Case = z.object({
  wish: described(lines(2000, z.trim()), 'What a person asks for; no two cases have the same.'),
  tool: described(z.nullable(line(64)), 'The tool that should be chosen; null: none.'),
  arguments: described(
    optional(z.record(z.string().check(z.maxLength(200)), z.unknown())),
    'Arguments that it should be called with, others besides; absent: any.',
  ),
});
export type Case = ValueOf<typeof Case>;

export const CaseList = z.object({ cases: z.array(Case).check(z.maxLength(500)) });

/** Bytes of JSON: all cases are one item, which DynamoDB limits to 400 KB. */
const MOST_BYTES = 200_000;

/** @throws ApiRefusal invalid_request for a wish that is repeated, and for too many bytes */
export const checkCases = (cases: readonly Case[]): void => {
  const wishes = new Set<string>();
  for (const [index, { wish }] of cases.entries()) {
    if (wishes.has(wish)) {
      const where = `/cases/${index}/wish`;
      const hint = 'Give each wish once: results are compared by it.';
      throw new ApiRefusal('invalid_request', 'A wish is there twice.', [
        { where, what: 'given before', hint },
      ]);
    }
    wishes.add(wish);
  }
  if (Buffer.byteLength(JSON.stringify(cases)) <= MOST_BYTES) return;
  throw new ApiRefusal('invalid_request', 'The cases are too large.', [
    { where: '/cases', what: `more than ${MOST_BYTES} bytes in all`, hint: 'Keep fewer of them.' },
  ]);
};

export interface KeptCases {
  readonly cases: readonly Case[];
  readonly revision: string;
}

/** Hash that depends on the order of cases. */
export const casesRevision = (cases: readonly Case[]): string => contentRevision({ cases });

const CaseRun = z.object({
  at: z.int(),
  /** Vendor and model, such as `anthropic/claude-sonnet-4-5`. */
  model: z.string(),
  /** Version whose tools the model saw; absent: those of an unpublished description. */
  version: optional(z.int()),
  toolsHash: z.string(),
  casesRevision: z.string(),
  right: z.int(),
  cases: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
});
export type CaseRun = ValueOf<typeof CaseRun>;

const CaseResult = z.object({ wish: z.string(), right: z.boolean() });
export type CaseResult = ValueOf<typeof CaseResult>;

export const CaseRuns = z.object({
  /** Newest first. */
  runs: z.array(CaseRun),
  /** Results of the newest run alone. */
  results: z.array(CaseResult),
});
export type CaseRuns = ValueOf<typeof CaseRuns>;

const MOST_RUNS = 20;

export const withRun = (
  { runs }: CaseRuns,
  run: CaseRun,
  results: readonly CaseResult[],
): CaseRuns => ({ runs: [run, ...runs].slice(0, MOST_RUNS), results });

/** SHA-256 (hex) of all that models see of tools, independent of their order. */
export const toolsHash = ({ tools }: Pick<ToolIndex, 'tools'>): string => {
  const shown = tools
    .map(listedTool)
    .map(({ name, description, inputSchema }) =>
      JSON.stringify([name, description ?? '', inputSchema]),
    )
    .toSorted();
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
};
