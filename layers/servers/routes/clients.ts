import { apiReply } from '../../platform/http/reply.ts';
import { clientConfigurations } from '../rules/clients/client-configurations.ts';
import { ownedDeployment } from '../steps/deployments/owned-deployment.ts';
import { routerAddresses } from '../../platform/rules/addresses.ts';
import type { Settings } from '../../ports.ts';
import type { VersionPorts } from '../steps/deployments/versions.ts';
import * as z from 'zod';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';

const Clients = z.object({
  items: z.array(
    z.object({
      client: z.string().meta({ description: 'Its short name, such as `claude-code`.' }),
      name: z.string(),
      where: z.string().meta({
        description: 'Where the text goes, as a sentence before it; code stands between backticks.',
      }),
      paste: z.string().meta({ description: 'The text. It holds no token.' }),
      link: z
        .string()
        .optional()
        .meta({ description: 'Opens the application, which asks whether to add the server.' }),
      obstacle: z
        .string()
        .optional()
        .meta({ description: 'Why this client cannot connect to this deployment.' }),
      notes: z.array(z.string()).meta({ description: 'Code stands between backticks.' }),
    }),
  ),
});

/** Source: docs/decisions/mcp.md, "Health and docs". */
export const clientRoutes = (
  ports: Pick<VersionPorts, 'deploymentEditor'> & { readonly settings: Settings },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/clients',
    operationId: 'listClients',
    tag: 'deployments',
    summary: 'How MCP clients are connected to it.',
    answers: { 200: { description: 'The clients, the most used ones first.', schema: Clients } },
    refusals: ['not_found'],
    handle: async ({ user, parameters: { slug } }) => {
      const { authMethod } = await ownedDeployment(ports, { ownerId: user.id, slug });
      const { messages: url } = routerAddresses(ports.settings.baseUrl, slug);
      return apiReply(200, { items: clientConfigurations({ slug, url, authMethod }) });
    },
  }),
];
