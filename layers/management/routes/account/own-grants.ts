import { isoTime } from '../../../platform/rules/time.ts';
import { apiReply } from '../../../platform/http/reply.ts';
import {
  endOwnGrant,
  listOwnGrants,
  type OwnGrant as ListedGrant,
} from '../../steps/account/own-grants.ts';
import { shownName } from '../../../platform/rules/shown-name.ts';
import * as z from 'zod';
import { pageBody, pageOf, pageQuery } from '../../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const LIST = 'account-grants';

const OwnGrant = z.object({
  id: z.string(),
  slug: z
    .string()
    .meta({ description: 'Of the deployment, whosever it is, as it was called then.' }),
  client_id: z.string(),
  client_name: z.string(),
  scope: z.string(),
  created_at: z.iso.datetime(),
  last_refreshed_at: z.iso.datetime().optional(),
  expires_at: z.iso.datetime(),
  recorded_until: z.iso.datetime().optional().meta({
    description:
      'The owner of the deployment has your calls recorded with what is sent and answered, until then.',
  }),
});

/** Source: docs/decisions/accounts.md, "What is mine". */
export const ownGrantRoutes = (ports: PortsOf<typeof listOwnGrants>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/account/grants',
    operationId: 'listOwnGrants',
    effects: [],
    forTokens: 'never',
    tag: 'account',
    summary: 'Which clients you let act for you, and where, the newest first.',
    query: pageQuery(LIST),
    answers: { 200: { description: 'A page.', schema: pageOf(OwnGrant) } },
    handle: async ({ user, query: { limit, cursor: after } }) => {
      const { items, next } = await listOwnGrants(ports, user, { limit, after });
      return apiReply(200, pageBody(LIST, items.map(grantBody), next));
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path: '/account/grants/{id}',
    operationId: 'endOwnGrant',
    effects: ['removal'],
    forTokens: 'never',
    tag: 'account',
    summary: 'Ends what you let a client do, and all its tokens, at once. Also what has ended.',
    answers: { 204: { description: 'It gives no access any more.' } },
    handle: async ({ user, parameters: { id } }) => {
      await endOwnGrant(ports, user, id);
      return apiReply(204);
    },
  }),
];

const grantBody = ({
  grant,
  refreshedAt,
  expiresAt,
  recordedUntil,
}: ListedGrant): z.input<typeof OwnGrant> => ({
  id: grant.id,
  slug: grant.slug,
  client_id: grant.clientId,
  client_name: shownName(grant.clientName),
  scope: grant.scopes.join(' '),
  created_at: isoTime(grant.createdAt),
  ...(refreshedAt !== undefined && { last_refreshed_at: isoTime(refreshedAt) }),
  expires_at: isoTime(expiresAt),
  ...(recordedUntil !== undefined && { recorded_until: isoTime(recordedUntil) }),
});
