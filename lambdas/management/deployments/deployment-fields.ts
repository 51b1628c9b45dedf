import {
  DOCS_AUDIENCES,
  MCP_AUTH_METHODS,
  STRUCTURED_OUTPUT,
  TOOL_MODES,
  TRACE_CONTEXT_USES,
} from '@hosted-mcp/core/management';
import * as z from 'zod';

const url = z.url({ protocol: /^https?$/, error: 'Give an http or https address.' }).max(2048);

/** Texts that are shown: no control characters, so that they command no terminal. */
const shown = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}]*$/u, 'Leave control characters out.');

const email = z
  .string()
  .max(320)
  .regex(/^[^@\s]+@[^@\s]+$/, 'Give an e-mail address.')
  .toLowerCase();
const domain = z
  .string()
  .max(253)
  .regex(/^[^@\s]+$/, 'Give a domain.')
  .toLowerCase();

/** Source: docs/decisions.md, "Who may use a deployment". */
export const Access = z
  .strictObject({
    mode: z.enum(['owner', 'allow_list', 'any_user']),
    emails: z.array(email).max(1000).default([]),
    domains: z.array(domain).max(1000).default([]),
  })
  .transform(({ mode, ...list }) => (mode === 'allow_list' ? { mode, ...list } : { mode }));

const selection = z.array(z.string().min(1).max(1000)).max(1000).default([]);

/** Source: docs/decisions.md, "Choosing operations". */
const Operations = z.strictObject({ include: selection, exclude: selection });

const hint = z.boolean().optional();

const Annotations = z
  .strictObject({
    read_only_hint: hint,
    destructive_hint: hint,
    idempotent_hint: hint,
    open_world_hint: hint,
  })
  .transform((sent) =>
    defined({
      readOnlyHint: sent.read_only_hint,
      destructiveHint: sent.destructive_hint,
      idempotentHint: sent.idempotent_hint,
      openWorldHint: sent.open_world_hint,
    }),
  );

const ArgumentOverride = z.union([
  z.strictObject({ hidden: z.literal(true) }),
  z.strictObject({ value: z.unknown() }),
]);

const StructuredOutput = z.enum(STRUCTURED_OUTPUT).meta({
  description:
    'Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients ' +
    'that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool.',
});

/** Source: docs/tools.md, "Overrides". */
const Override = z
  .strictObject({
    hidden: z.boolean().optional(),
    name: z.string().max(64).optional(),
    title: shown(100).optional(),
    // Some model APIs take no more.
    description: z.string().trim().min(1).max(1024).optional(),
    annotations: Annotations.optional(),
    structured_output: StructuredOutput.optional(),
    arguments: z.record(z.string().max(64), ArgumentOverride).optional(),
  })
  .transform(({ structured_output: structuredOutput, ...sent }) =>
    defined({ ...sent, structuredOutput }),
  );

/** By operationId or `METHOD /path`; null takes an override away. */
export const Overrides = z.record(z.string().min(1).max(1000), Override.nullable());

const ToolMode = z.enum(TOOL_MODES).meta({
  description:
    'Whether clients are shown a tool for each operation, or three tools that search, describe and call ' +
    'them: then a deployment of any size counts as one endpoint.',
});

/** Fewer leave nothing of most tools. */
const ToolTokenBudget = z
  .int()
  .min(100)
  .max(1_000_000)
  .meta({ description: 'Tokens that a tool may take, roughly; null: any number.' });

const Docs = z.enum(DOCS_AUDIENCES).meta({
  description:
    'Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. ' +
    'In mode `none` everybody is, whatever this says.',
});

const TraceContext = z.enum(TRACE_CONTEXT_USES).meta({
  description:
    'Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers.',
});
/** A text of several lines, for people and models. */
const lines = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^(?:[^\p{Cc}]|[\n\t])*$/u, 'Leave control characters out, but for line breaks.');

const Instructions = lines(2000).meta({
  description:
    'What clients tell models of the server as a whole; null: title and description of the API, as plain text.',
});
const Description = shown(500).meta({
  description:
    'What clients tell people of the server, and `server.json` and server cards tell everybody; null: to clients ' +
    'what the description of the API says, to others how many tools there are.',
});
const WebsiteUrl = url.meta({ description: 'Where people read about it; null: nowhere.' });

/** What an owner may say of a deployment when it is made, and later. */
export const fields = {
  slug: z.string().max(200).optional(),
  name: shown(200)
    .optional()
    .meta({ description: 'What people see: the title of the MCP server.' }),
  instructions: Instructions.nullish(),
  description: Description.nullish(),
  website_url: WebsiteUrl.nullish(),
  mcp_auth_method: z.enum(MCP_AUTH_METHODS).optional(),
  api_base_url: url.nullish(),
  server_variables: z.record(z.string().max(200), z.string().max(2048)).nullish(),
  operations: Operations.nullish(),
  overrides: Overrides.optional(),
  tool_mode: ToolMode.optional(),
  tool_token_budget: ToolTokenBudget.nullish(),
  structured_output: StructuredOutput.optional(),
  access: Access.optional(),
  allowed_origins: z.array(z.string().min(1).max(2048)).max(100).optional(),
  docs: Docs.optional(),
  trace_context: TraceContext.optional(),
} as const;

/** A description, in one of two forms; the descriptions' own rules hold for either. */
export const source = {
  openapi: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .meta({ description: 'The description: an object, or its text in JSON or YAML.' }),
  openapi_url: url.optional().meta({ description: 'Where the description is fetched from.' }),
};

/** Without members that are undefined. */
const defined = <Value extends object>(value: Value): Defined<Value> =>
  Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Defined<Value>;

type Defined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> } & object;
