import { type DescriptionCheck, TOOL_MODES } from '@hosted-mcp/core/management';
import * as z from 'zod';
import { Difference, Warning } from './deployment-body.ts';
import { Entry, shown } from './gallery.ts';
import { ModelApis, Tool, toolBody } from './tools.ts';

const Problem = z.object({
  code: z.string().meta({ description: 'As publication would refuse it.' }),
  detail: z.string(),
  findings: z.array(Warning),
  limit: z.string().optional(),
});

const Operation = z.object({
  method: z.string(),
  path: z.string(),
  operation_id: z.string().optional(),
  summary: z.string().optional(),
  tags: z.array(z.string()),
  deprecated: z.boolean(),
  chosen: z.boolean(),
});

/** What `POST /descriptions` tells. Source: docs/decisions.md, "A look before publication". */
export const DescriptionReport = z.object({
  title: z.string(),
  slug: z
    .string()
    .optional()
    .meta({ description: 'What it would be published under; absent if that is taken.' }),
  tool_mode: z.enum(TOOL_MODES),
  api_base_url: z.string().optional(),
  publishable: z.boolean(),
  problems: z
    .array(Problem)
    .meta({ description: 'For which publication would be refused; none if it would not.' }),
  warnings: z.array(Warning),
  operations: z.array(Operation).meta({ description: 'All of the description.' }),
  tags: z.array(z.object({ name: z.string(), operations: z.int(), chosen: z.int() })),
  tools: z
    .array(Tool.partial({ input_schema: true }))
    .meta({ description: 'Of the chosen operations. Schemas are left out of long reports.' }),
  tools_left_out: z.int().meta({ description: 'Of a report that would be too long.' }),
  totals: z.object({
    tools: z.int(),
    tokens: z.int(),
    accepted_by: z
      .object({ claude: z.int(), openai: z.int(), gemini: z.int(), bedrock: z.int() })
      .meta({ description: 'How many of them.' }),
  }),
  difference: Difference.optional().meta({ description: 'From the deployment that was named.' }),
  gallery: Entry.optional(),
});

/** Characters of JSON. Lambda answers with at most 6 MB. */
const MOST_SCHEMAS = 1_500_000;
const MOST_TOOLS = 3_000_000;

export const reportBody = (check: DescriptionCheck) => {
  const tools = check.tools.map(toolBody);
  const shownTools = withinLength(tools);
  return {
    title: check.title,
    ...(check.slug !== undefined && { slug: check.slug }),
    tool_mode: check.toolMode,
    ...(check.apiBaseUrl !== undefined && { api_base_url: check.apiBaseUrl }),
    publishable: check.problems.length === 0,
    problems: check.problems.map(({ code, description, findings, details: { limit } }) => ({
      code,
      detail: description,
      findings,
      ...(limit !== undefined && { limit }),
    })),
    warnings: check.warnings,
    operations: check.operations.map(operationBody),
    tags: tagsOf(check.operations),
    tools: shownTools,
    tools_left_out: tools.length - shownTools.length,
    totals: {
      tools: tools.length,
      tokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
      accepted_by: Object.fromEntries(
        ModelApis.options.map((api) => [
          api,
          tools.filter(({ accepted_by: apis }) => apis.includes(api)).length,
        ]),
      ),
    },
    ...(check.difference && { difference: check.difference }),
    ...(check.gallery && { gallery: shown(check.gallery) }),
  };
};

type ShownTool = ReturnType<typeof toolBody>;
type Shortened = Omit<ShownTool, 'input_schema'> & Partial<Pick<ShownTool, 'input_schema'>>;

/** The first tools whole, further ones without their schemas, and then none. */
export const withinLength = (tools: readonly ShownTool[]) => {
  const kept: Shortened[] = [];
  let length = 0;
  for (const tool of tools) {
    const { input_schema: schema, ...rest } = tool;
    const whole = JSON.stringify(tool).length;
    const fits = length + whole <= MOST_SCHEMAS;
    length += fits ? whole : JSON.stringify(rest).length;
    if (length > MOST_TOOLS) break;
    kept.push(fits ? { ...rest, input_schema: schema } : rest);
  }
  return kept;
};

const operationBody = ({
  operation: { method, path, operationId, operation, tags, deprecated },
  chosen,
}: DescriptionCheck['operations'][number]): z.input<typeof Operation> => ({
  method,
  path,
  ...(operationId !== undefined && { operation_id: operationId }),
  ...(typeof operation['summary'] === 'string' && {
    summary: operation['summary'].slice(0, 200),
  }),
  tags: [...tags],
  deprecated,
  chosen,
});

const tagsOf = (operations: DescriptionCheck['operations']) => {
  const tags = new Map<string, { name: string; operations: number; chosen: number }>();
  for (const { operation, chosen } of operations) {
    for (const name of new Set(operation.tags)) {
      const tag = tags.get(name) ?? { name, operations: 0, chosen: 0 };
      tags.set(name, {
        name,
        operations: tag.operations + 1,
        chosen: tag.chosen + Number(chosen),
      });
    }
  }
  return [...tags.values()];
};
