import { apiReply } from '../../platform/http/reply.ts';
import * as z from 'zod';
import type { TargetSettings } from '../../target/ports.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { networksOf } from '../rules/networks.ts';

const Networks = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      hosts: z.array(z.string()).meta({
        description: 'That may be called there; `*.internal` stands for all names below it.',
      }),
      http: z.boolean().meta({ description: 'Whether calls without TLS are made there.' }),
    }),
  ),
});

/** Source: docs/networks.md. */
export const networkRoutes = ({
  settings,
}: {
  readonly settings: Pick<TargetSettings, 'networks'>;
}): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/networks',
    operationId: 'listNetworks',
    effects: [],
    forSomeSlugs: true,
    tag: 'deployments',
    summary: 'Private networks that your deployments may be in.',
    answers: { 200: { description: 'All of them.', schema: Networks } },
    handle: ({ user }) =>
      apiReply(200, {
        items: networksOf(settings.networks, user.email).map(({ name, hosts, http }) => ({
          name,
          hosts: [...hosts],
          http,
        })),
      }),
  }),
];
