import {
  DOCS_AUDIENCES,
  TRACE_CONTEXT_USES,
  JWT_ALGORITHMS,
  MCP_AUTH_METHODS,
  PLANS,
  publish,
  type PublishPorts,
  STRUCTURED_OUTPUT,
  TOOL_MODES,
  toolModeOf,
} from '@hosted-mcp/core/management';
import * as z from 'zod';

const url = z.url({ protocol: /^https?$/ }).max(2048);

/** Source: docs/decisions.md, "Who may use a deployment". */
const Access = z
  .strictObject({
    mode: z.enum(['owner', 'allow_list', 'any_user']),
    emails: z.array(z.string().regex(/^[^@\s]+@[^@\s]+$/)).default([]),
    domains: z.array(z.string().regex(/^[^@\s]+$/)).default([]),
  })
  .transform(({ mode, ...list }) => (mode === 'allow_list' ? { mode, ...list } : { mode }));

/** Source: docs/decisions.md, "Tokens of mode jwt". */
const Issuer = z.strictObject({
  issuer: z.string().min(1).max(2048),
  jwksUri: url,
  audience: z.string().min(1).max(2048),
  algorithms: z.array(z.enum(JWT_ALGORITHMS)).min(1),
});

/** What an operator sends to publish a description for an owner. */
export const PublishCommand = z
  .strictObject({
    ownerId: z.string().min(1).max(128),
    slug: z.string().optional(),
    name: z.string().min(1).max(200).optional(),
    authMethod: z.enum(MCP_AUTH_METHODS),
    openapi: z.string().optional(),
    openapiUrl: z.string().max(2048).optional(),
    apiBaseUrl: z.string().max(2048).optional(),
    serverVariables: z.record(z.string(), z.string()).optional(),
    operations: z
      .strictObject({ include: z.array(z.string()), exclude: z.array(z.string()) })
      .optional(),
    toolMode: z.enum(TOOL_MODES).optional(),
    toolTokenBudget: z.int().min(100).nullable().optional(),
    structuredOutput: z.enum(STRUCTURED_OUTPUT).optional(),
    ownerPlan: z.enum(PLANS).optional(),
    access: Access.optional(),
    jwtIssuer: Issuer.optional(),
    allowedOrigins: z.array(z.string().min(1).max(2048)).optional(),
    docs: z.enum(DOCS_AUDIENCES).optional(),
    traceContext: z.enum(TRACE_CONTEXT_USES).optional(),
  })
  .refine((sent) => (sent.openapi === undefined) !== (sent.openapiUrl === undefined), {
    error: 'give either openapi or openapiUrl',
    path: ['openapi'],
  });

/** Publishes on an operator's behalf; the answer names every address a person needs. */
export const publishCommand =
  (ports: PublishPorts) => async (command: z.infer<typeof PublishCommand>) => {
    const { ownerId, slug, openapi, openapiUrl, ...sent } = command;
    const { apiBaseUrl, serverVariables, operations, ...more } = sent;
    const { toolMode, toolTokenBudget, structuredOutput, ...choices } = more;
    const published = await publish(ports, {
      ownerId,
      slug,
      openapi: openapi ?? { url: openapiUrl ?? '' },
      choices,
      publication: {
        apiBaseUrl,
        serverVariables,
        operations,
        toolMode,
        toolTokenBudget,
        structuredOutput,
      },
    });
    const { deployment, created, changed, warnings } = published;
    const base = `${ports.settings.baseUrl}/mcp-router/${deployment.slug}`;
    return {
      ok: true as const,
      deployment: {
        slug: deployment.slug,
        name: deployment.name,
        version: deployment.version,
        toolCount: deployment.toolCount,
        toolMode: toolModeOf(deployment.publication),
        authMethod: deployment.authMethod,
        apiBaseUrl: deployment.apiBaseUrl,
        mcpUrl: `${base}/messages`,
        discoveryUrl: `${base}/.well-known/mcp-server`,
      },
      created,
      changed,
      warnings,
    };
  };
