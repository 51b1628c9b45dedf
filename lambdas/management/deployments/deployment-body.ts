import {
  type Deployment,
  DOCS_AUDIENCES,
  type Finding,
  MCP_AUTH_METHODS,
  type PublicationSettings,
  routerAddresses,
  type Settings,
  STRUCTURED_OUTPUT,
  structuredOutputOf,
  TOOL_MODES,
  TRACE_CONTEXT_USES,
  toolModeOf,
} from '@hosted-mcp/core/management';
import * as z from 'zod';
import { isoTime } from '../frame/iso-time.ts';

export const Warning = z.object({
  where: z.string().meta({ description: 'A JSON pointer into the description; empty: all of it.' }),
  what: z.string(),
  hint: z.string(),
});

const Strings = z.array(z.string());

const Hints = z.object({
  read_only_hint: z.boolean().optional(),
  destructive_hint: z.boolean().optional(),
  idempotent_hint: z.boolean().optional(),
  open_world_hint: z.boolean().optional(),
});

const StructuredOutput = z.enum(STRUCTURED_OUTPUT);

const ShownOverride = z.object({
  hidden: z.boolean().optional(),
  name: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  annotations: Hints.optional(),
  structured_output: StructuredOutput.optional(),
  arguments: z.record(z.string(), z.looseObject({})).optional(),
});

const ToolModes = z.enum(TOOL_MODES);

/** A deployment as lists show it. */
export const ListedDeployment = z.object({
  slug: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused', 'stopped']),
  mcp_auth_method: z.enum(MCP_AUTH_METHODS),
  mcp_url: z.string(),
  discovery_url: z.string(),
  docs_url: z.string(),
  docs: z.enum(DOCS_AUDIENCES),
  trace_context: z.enum(TRACE_CONTEXT_USES),
  api_base_url: z.string(),
  tool_count: z.int().meta({ description: 'Operations, in either mode of tools.' }),
  tool_mode: ToolModes,
  version: z.int(),
  access: z.object({
    mode: z.enum(['owner', 'allow_list', 'any_user']),
    emails: Strings.optional(),
    domains: Strings.optional(),
  }),
  allowed_origins: Strings,
  has_credential: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Whole, with what was chosen for the making of its tools, and what was noticed then. */
export const WholeDeployment = ListedDeployment.extend({
  instructions: z.string().optional(),
  description: z.string().optional(),
  website_url: z.string().optional(),
  openapi_url: z.string().optional(),
  server_variables: z.record(z.string(), z.string()).optional(),
  operations: z.object({ include: Strings, exclude: Strings }).optional(),
  overrides: z.record(z.string(), ShownOverride).optional(),
  tool_token_budget: z
    .int()
    .nullable()
    .meta({ description: 'Tokens that a tool may take, roughly; null: any number.' }),
  structured_output: StructuredOutput,
  warnings: z.array(Warning),
});

export const Difference = z.object({
  added: Strings,
  removed: Strings,
  changed: z.array(z.object({ name: z.string(), breaking: z.boolean(), changes: Strings })),
  breaking: z.boolean().meta({ description: 'Whether a call that worked before may fail now.' }),
  mode: z
    .object({ before: ToolModes, after: ToolModes })
    .optional()
    .meta({ description: 'Set if clients are shown another kind of tools.' }),
});

export const RevisedDeployment = WholeDeployment.extend({ tools: Difference });

export const listedDeployment = (
  { baseUrl }: Settings,
  deployment: Deployment,
): z.input<typeof ListedDeployment> => {
  const { base, docs, messages } = routerAddresses(baseUrl, deployment.slug);
  return {
    slug: deployment.slug,
    name: deployment.name,
    // One that is being removed is shown to nobody.
    status: deployment.status === 'removing' ? 'paused' : deployment.status,
    mcp_auth_method: deployment.authMethod,
    mcp_url: messages,
    discovery_url: `${base}/.well-known/mcp-server`,
    docs_url: docs,
    docs: deployment.docs,
    trace_context: deployment.traceContext,
    api_base_url: deployment.apiBaseUrl,
    tool_count: deployment.toolCount,
    tool_mode: toolModeOf(deployment.publication),
    version: deployment.version,
    access:
      deployment.access.mode === 'allow_list'
        ? {
            mode: 'allow_list',
            emails: [...deployment.access.emails],
            domains: [...deployment.access.domains],
          }
        : { mode: deployment.access.mode },
    allowed_origins: [...deployment.allowedOrigins],
    has_credential: deployment.credential !== undefined,
    created_at: isoTime(deployment.createdAt),
    updated_at: isoTime(deployment.updatedAt),
  };
};

export const wholeDeployment = (
  settings: Settings,
  deployment: Deployment,
  warnings: readonly Finding[],
) => ({
  ...listedDeployment(settings, deployment),
  ...(deployment.instructions !== undefined && { instructions: deployment.instructions }),
  ...(deployment.description !== undefined && { description: deployment.description }),
  ...(deployment.websiteUrl !== undefined && { website_url: deployment.websiteUrl }),
  ...publicationBody(settings, deployment.publication),
  warnings,
});

const publicationBody = ({ limits }: Settings, settings: PublicationSettings) => ({
  tool_token_budget:
    settings.toolTokenBudget === undefined ? limits.tool_token_budget : settings.toolTokenBudget,
  structured_output: structuredOutputOf(settings),
  ...(settings.sourceUrl !== undefined && { openapi_url: settings.sourceUrl }),
  ...(settings.serverVariables && { server_variables: settings.serverVariables }),
  ...(settings.operations && { operations: settings.operations }),
  ...(settings.overrides && {
    overrides: Object.fromEntries(
      Object.entries(settings.overrides).map(
        ([key, { annotations, structuredOutput, ...rest }]) => [
          key,
          {
            ...rest,
            ...(annotations && { annotations: hintsBody(annotations) }),
            ...(structuredOutput && { structured_output: structuredOutput }),
          },
        ],
      ),
    ),
  }),
});

const hintsBody = (annotations: object) =>
  Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
