import { apiReply } from '../../platform/http/reply.ts';
import { ownedDeployment } from '../steps/deployments/owned-deployment.ts';
import { REGISTRY_NAME, serverJson } from '../../mcp/rules/server-json.ts';
import type { VersionPorts } from '../steps/deployments/versions.ts';
import type { Settings } from '../../ports.ts';
import * as z from 'zod';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';

const Variable = z.object({
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
});

const ServerJson = z.object({
  $schema: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  websiteUrl: z.string(),
  remotes: z.array(
    z.object({
      type: z.literal('streamable-http'),
      url: z.string(),
      headers: z
        .array(
          Variable.extend({
            name: z.string(),
            value: z.string(),
            variables: z.record(z.string(), Variable),
          }),
        )
        .optional(),
    }),
  ),
});

const Query = z.strictObject({
  name: z
    .string()
    .regex(REGISTRY_NAME, 'Give a namespace, a slash and a name, as in com.example/weather.')
    .optional()
    .meta({ description: "A name in the owner's own namespace; otherwise it is the service's." }),
});

/** Source: docs/decisions/mcp.md, "Registries and cards". */
export const serverJsonRoutes = (
  ports: Pick<VersionPorts, 'deploymentEditor'> & { readonly settings: Settings },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/server.json',
    operationId: 'describeForRegistries',
    tag: 'deployments',
    summary: 'What registries of MCP servers list of it, to be published by its owner.',
    query: Query,
    answers: { 200: { description: 'A `server.json`, schema 2025-12-11.', schema: ServerJson } },
    refusals: ['not_found'],
    handle: async ({ user, parameters: { slug }, query: { name } }) => {
      const deployment = await ownedDeployment(ports, { ownerId: user.id, slug });
      return apiReply(200, serverJson(ports.settings.baseUrl, deployment, name));
    },
  }),
];
