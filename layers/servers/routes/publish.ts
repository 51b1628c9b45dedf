import type { PlatformSettings } from '../../platform/ports.ts';
import { JwtIssuer } from '../../tokens/rules/jwt.ts';
import { MCP_AUTH_METHODS } from '../../deployments/rules/auth-methods.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import { checkNetwork } from '../rules/networks.ts';
import { publish, type PublishPorts } from '../steps/deployments/publish.ts';
import {
  PUBLICATION_SETTINGS,
  SERVING_SETTINGS,
  settingsIn,
  type SettingsTable,
} from '../../deployments/rules/settings.ts';
import { toolModeOf } from '../../deployments/rules/publication.ts';
import * as z from 'zod';
import { Deployment } from '../../deployments/rules/deployment.ts';
import { Access } from './sent-deployment.ts';

const optional = <Table extends SettingsTable>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { value }]) => [name, z.optional(value)]),
  ) as { readonly [Name in keyof Table]: z.ZodOptional<Table[Name]['value']> };

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
    ...optional(PUBLICATION_SETTINGS),
    ownerPlan: z.enum(PLANS).optional(),
    access: Access.optional(),
    jwtIssuer: z.optional(z.strictObject(JwtIssuer.shape)),
    allowedOrigins: z.optional(Deployment.shape.allowedOrigins),
    network: z.optional(Deployment.shape.network.def.innerType),
    ...optional(SERVING_SETTINGS),
  })
  .refine((sent) => (sent.openapi === undefined) !== (sent.openapiUrl === undefined), {
    error: 'give either openapi or openapiUrl',
    path: ['openapi'],
  });

export const publishCommand =
  (ports: PublishPorts & { readonly settings: PlatformSettings }) =>
  async (command: z.infer<typeof PublishCommand>) => {
    const { ownerId, slug, openapi, openapiUrl, apiBaseUrl, serverVariables, operations } = command;
    const { name, authMethod, ownerPlan, access, jwtIssuer, allowedOrigins, network } = command;
    checkNetwork(ports.settings.networks, network, undefined);
    const published = await publish(ports, {
      ownerId,
      slug,
      source: openapi === undefined ? { url: openapiUrl ?? '' } : { sent: openapi },
      choices: {
        name,
        authMethod,
        ownerPlan,
        access,
        jwtIssuer,
        allowedOrigins,
        network,
        ...settingsIn(SERVING_SETTINGS, command),
      },
      publication: {
        apiBaseUrl,
        serverVariables,
        operations,
        ...settingsIn(PUBLICATION_SETTINGS, command),
      },
    });
    const { deployment, created, changed, warnings } = published;
    const base = `${ports.settings.baseUrl}/mcp-router/${deployment.slug}`;
    return {
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
