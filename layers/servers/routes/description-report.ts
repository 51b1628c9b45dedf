import type { DescriptionCheck } from '../steps/descriptions/check-description.ts';
import { FetchedAddresses } from './sent-deployment.ts';
import { PUBLICATION_SETTINGS } from '../../deployments/rules/settings.ts';
import * as z from 'zod';
import { examinedClient } from '../rules/examined-tools.ts';
import { CredentialNeeds, credentialNeedsBody } from './access/credential-needs.ts';
import { Difference, differenceBody, Exposures, Warning } from './deployment-body.ts';
import { Entry, entryBody } from './gallery.ts';
import { ModelApis, Tool, toolBody } from './tools.ts';
import { answerBudget, type AnswerBudget } from '../../api/answer.ts';

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

const leftOut = z.int().meta({ description: 'How many, of a report that would be too long.' });

/** Answer of `POST /descriptions`. Source: docs/decisions/descriptions.md, "A look before publication". */
export const DescriptionReport = z.object({
  title: z.string(),
  slug: z
    .string()
    .optional()
    .meta({ description: 'What it would be published under; absent if that is taken.' }),
  tool_mode: PUBLICATION_SETTINGS.toolMode.value,
  api_base_url: z.string().optional().meta({ description: 'Where most calls would go.' }),
  described_base_url: z.string().optional().meta({
    description: 'Where the description says that they go: an address, or a mere path.',
  }),
  publishable: z.boolean(),
  problems: z
    .array(Problem)
    .meta({ description: 'For which publication would be refused; none if it would not.' }),
  warnings: z.array(Warning),
  refused_calls: z
    .array(
      z.object({
        reason: z.enum(['not_encrypted', 'credential_not_for_this_host']),
        origin: z.string().meta({ description: 'Where the calls would go.' }),
        tools: z.int(),
      }),
    )
    .meta({
      description:
        'Tools that could be published and not called: each call of them is refused before it is sent. The most ' +
        'first, 20 at most.',
    }),
  exposures: Exposures,
  client_limits: z
    .array(
      z.object({
        client: z.string(),
        what: z
          .string()
          .meta({ description: 'What it does with which tools, why, and the remedy.' }),
        tools: z.int(),
      }),
    )
    .meta({
      description:
        'What clients do with tools that every model API takes: documented limits of their own. It concerns those ' +
        'who use that client alone.',
    }),
  credential_needs: CredentialNeeds,
  overlays: z
    .array(z.object({ title: z.string(), actions: z.int(), applied: z.int() }))
    .meta({ description: 'Of each overlay, how many of its actions have matched something.' }),
  operations: z.array(Operation).meta({ description: 'All of the description.' }),
  operations_left_out: leftOut,
  tags: z.array(z.object({ name: z.string(), operations: z.int(), chosen: z.int() })),
  tags_left_out: leftOut,
  tools_hash: z
    .string()
    .optional()
    .meta({ description: 'Of what models are shown of them: names a run of the cases.' }),
  tools: z
    .array(Tool)
    .meta({ description: 'Of the chosen operations. Schemas are left out of long reports.' }),
  tools_left_out: leftOut,
  totals: z.object({
    tools: z.int(),
    tokens: z.int(),
    accepted_by: z
      .object({ claude: z.int(), openai: z.int(), gemini: z.int(), bedrock: z.int() })
      .meta({ description: 'How many of them.' }),
  }),
  difference: Difference.optional().meta({ description: 'From the deployment that was named.' }),
  fetched: FetchedAddresses,
  gallery: Entry.optional(),
});

/** Bytes that each list may take of the report, so that the others fit too. */
const MOST = { operations: 1_500_000, tags: 300_000, schemas: 1_500_000 };

const MOST_REFUSED = 20;

export const reportBody = (check: DescriptionCheck) => {
  const budget = answerBudget();
  const head = budget.spend({
    title: check.title,
    ...(check.slug !== undefined && { slug: check.slug }),
    tool_mode: check.toolMode,
    ...(check.apiBaseUrl !== undefined && { api_base_url: check.apiBaseUrl }),
    ...(check.describedBaseUrl !== undefined && { described_base_url: check.describedBaseUrl }),
    publishable: check.problems.length === 0,
    problems: check.problems.map(({ code, description, findings, details: { limit } }) => ({
      code,
      detail: description,
      findings,
      ...(limit !== undefined && { limit }),
    })),
    warnings: check.warnings,
    ...(check.toolsHash !== undefined && { tools_hash: check.toolsHash }),
    refused_calls: check.refusedCalls.slice(0, MOST_REFUSED),
    exposures: check.exposures,
    client_limits: check.brokenLimits.map((limit) => ({
      client: limit.client,
      what: examinedClient(limit).what,
      tools: limit.tools.length,
    })),
    credential_needs: credentialNeedsBody(check.credentialNeeds),
    overlays: check.overlays,
    ...(check.difference && { difference: differenceBody(check.difference) }),
    fetched: [...check.fetched],
    ...(check.gallery && { gallery: entryBody(check.gallery) }),
  });
  const tags = tagsOf(check.operations);
  const tools = check.tools.map(toolBody);
  const shownOperations = budget.fitting(check.operations, operationBody, MOST.operations);
  const shownTags = budget.fitting(tags, (tag) => tag, MOST.tags);
  const shownTools = withinBudget(tools, budget);
  return {
    ...head,
    operations: shownOperations,
    operations_left_out: check.operations.length - shownOperations.length,
    tags: shownTags,
    tags_left_out: tags.length - shownTags.length,
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
  };
};

type ShownTool = ReturnType<typeof toolBody>;

/** The first tools in full, then tools without schemas, then none. */
export const withinBudget = (tools: readonly ShownTool[], budget: AnswerBudget) => {
  let schemas = MOST.schemas;
  return budget.fitting(tools, (tool) => {
    const { input_schema: _, output_schema: __, ...rest } = tool;
    const whole = Buffer.byteLength(JSON.stringify(tool));
    if (whole > schemas) return rest;
    schemas -= whole;
    return tool;
  });
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
