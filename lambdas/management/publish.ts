import { publish, type PublishPorts } from '@hosted-mcp/core/management';
import * as z from 'zod';

/** What an operator sends to publish a description for an owner. */
export const PublishCommand = z
  .strictObject({
    operator: z.literal('publish'),
    ownerId: z.string().min(1).max(128),
    slug: z.string().optional(),
    name: z.string().min(1).max(200).optional(),
    authMethod: z.enum(['none', 'oauth', 'jwt']),
    openapi: z.string().optional(),
    openapiUrl: z.string().max(2048).optional(),
    apiBaseUrl: z.string().max(2048).optional(),
    serverVariables: z.record(z.string(), z.string()).optional(),
    operations: z
      .strictObject({ include: z.array(z.string()), exclude: z.array(z.string()) })
      .optional(),
  })
  .refine((sent) => (sent.openapi === undefined) !== (sent.openapiUrl === undefined), {
    error: 'give either openapi or openapiUrl',
    path: ['openapi'],
  });

/** Publishes on an operator's behalf; the answer names every address a person needs. */
export const publishCommand =
  (ports: PublishPorts) => async (command: z.infer<typeof PublishCommand>) => {
    const { operator: _, openapi, openapiUrl, ...wanted } = command;
    const published = await publish(ports, {
      ...wanted,
      openapi: openapi ?? { url: openapiUrl ?? '' },
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
