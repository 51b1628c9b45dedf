import { isoTime } from '../../../platform/rules/time.ts';
import { apiReply } from '../../../platform/http/reply.ts';
import { listGrants, revokeGrant } from '../../steps/access/grants.ts';
import type { ActiveGrant } from '../../../oauth/rules/grants.ts';
import { shownName } from '../../../platform/rules/shown-name.ts';
import * as z from 'zod';
import { pageBody, pageOf, pageQuery } from '../../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const Grant = z.object({
  id: z.string(),
  user_id: z.string(),
  email: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  scope: z.string(),
  created_at: z.iso.datetime(),
  last_refreshed_at: z.iso.datetime().optional(),
  expires_at: z.iso
    .datetime()
    .meta({ description: 'When it gives no access any more, unless it is revoked before.' }),
});

const PATH = '/deployments/{slug}/grants';
const LIST = 'grants';

export const grantRoutes = (ports: PortsOf<typeof listGrants>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listGrants',
    effects: [],
    forTokens: 'all',
    tag: 'grants',
    summary: 'Which OAuth clients of which users have access, the newest first.',
    query: pageQuery(LIST),
    answers: { 200: { description: 'A page.', schema: pageOf(Grant) } },
    handle: async ({ user, parameters: { slug }, query: { limit, cursor: after } }) => {
      const { items, next } = await listGrants(ports, { ownerId: user.id, slug }, { limit, after });
      return apiReply(200, pageBody(LIST, items.map(grantBody), next));
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operationId: 'revokeGrant',
    effects: ['removal'],
    whileManaged: () => true,
    tag: 'grants',
    summary: 'Ends a grant and all its tokens at once. Also one that has ended.',
    answers: { 204: { description: 'It gives no access any more.' } },
    handle: async ({ user, parameters: { slug, id: grantId } }) => {
      await revokeGrant(ports, { ownerId: user.id, slug, grantId });
      return apiReply(204);
    },
  }),
];

const grantBody = ({ grant, refreshedAt, expiresAt }: ActiveGrant): z.input<typeof Grant> => ({
  id: grant.id,
  user_id: grant.userId,
  email: grant.email,
  client_id: grant.clientId,
  client_name: shownName(grant.clientName),
  scope: grant.scopes.join(' '),
  created_at: isoTime(grant.createdAt),
  ...(refreshedAt !== undefined && { last_refreshed_at: isoTime(refreshedAt) }),
  expires_at: isoTime(expiresAt),
});
