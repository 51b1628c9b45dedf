import { shownServerName } from '../../../platform/rules/shown-name.ts';
import * as z from 'zod';
import { apiReply } from '../../../platform/http/reply.ts';
import { routerAddresses } from '../../../platform/rules/addresses.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import { sharedServers } from '../../steps/account/shared-servers.ts';

const Shared = z.object({
  items: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      mcp_url: z.string(),
      docs_url: z.string().meta({ description: 'A page that says how clients are connected.' }),
      connected: z.boolean().meta({ description: 'Whether you have connected a client to it.' }),
    }),
  ),
});

/** Source: docs/decisions/accounts.md, "Invitations". */
export const sharedServerRoutes = (
  ports: PortsOf<typeof sharedServers> & { readonly settings: PlatformSettings },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/account/shared',
    operationId: 'listSharedServers',
    effects: [],
    forTokens: 'never',
    tag: 'account',
    summary: 'Deployments of others that you were invited to, or have connected a client to.',
    answers: { 200: { description: 'Those that you may use, by name.', schema: Shared } },
    handle: async ({ user }) => {
      const shared = await sharedServers(ports, user);
      return apiReply(200, {
        items: shared.map(({ deployment, isConnected }) => {
          const { slug } = deployment;
          const { messages, docs } = routerAddresses(ports.settings.baseUrl, slug);
          const name = shownServerName(deployment);
          return { slug, name, mcp_url: messages, docs_url: docs, connected: isConnected };
        }),
      } satisfies z.input<typeof Shared>);
    },
  }),
];
