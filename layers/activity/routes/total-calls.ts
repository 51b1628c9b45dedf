import { apiReply } from '../../platform/http/reply.ts';
import {
  type DeploymentTotal,
  totalCallers,
  type TotalCallsPorts,
  totalOwnCalls,
} from '../steps/total-calls.ts';
import * as z from 'zod';
import { counts, countsOf, since } from './activity.ts';
import { isoTime } from '../../api/answer.ts';
import { pageBody, pageOf, pageQuery } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';

const LIST = 'account-calls';

const Total = z.object({
  slug: z.string(),
  ...counts,
  hours: z
    .array(z.object({ hour: z.iso.datetime(), ...counts }))
    .meta({ description: 'Those with calls, in order; `hour` is its first second.' }),
});

const Caller = z.object({
  subject: z.string().meta({ description: 'A user, or an address where anybody may call.' }),
  email: z.string().optional().meta({ description: 'Of the user, who has let a client act.' }),
  client_id: z.string().optional(),
  grant_id: z.string().optional().meta({ description: 'That of the latest call.' }),
  calls: z.int(),
  errors: z.int(),
  refused: z.int(),
  last_at: z.iso.datetime(),
});

const Callers = z.object({
  items: z.array(Caller).meta({ description: 'The busiest first, at most 100.' }),
  missing_arguments: z
    .array(z.object({ tool: z.string(), argument: z.string(), calls: z.int() }))
    .meta({
      description:
        'Arguments that refused calls lacked, or members inside one, as `body.title`: the most frequent first, at most 20. ' +
        'Where the description asks for more than the API does, `argument_checks` can be `lenient`.',
    }),
  calls: z.int().meta({ description: 'How many were counted: the newest ones.' }),
  complete: z.boolean(),
  since: z.iso
    .datetime()
    .optional()
    .meta({ description: 'From when on all are counted, if there are more.' }),
});

/** Source: docs/decisions/management.md, "Activity". */
export const totalCallRoutes = (ports: TotalCallsPorts): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/account/calls',
    operationId: 'totalCalls',
    forTokens: 'all',
    tag: 'activity',
    summary:
      'How often your deployments were called today, hour by hour, in the order of their list.',
    query: pageQuery(LIST).extend({
      since: since.meta({ description: 'The first day, a week ago at most; today if omitted.' }),
    }),
    answers: { 200: { description: 'A page of deployments.', schema: pageOf(Total) } },
    handle: async ({ user, query: { limit, cursor: after, since: from } }) => {
      const { items, next } = await totalOwnCalls(ports, user.id, from, { limit, after });
      return apiReply(200, pageBody(LIST, items.map(shown), next));
    },
  }),

  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/callers',
    operationId: 'listCallers',
    forTokens: 'all',
    tag: 'activity',
    summary: 'Who called, through which client, and how that went.',
    query: z.strictObject({ since }),
    answers: { 200: { description: 'Those of the newest 5,000 calls.', schema: Callers } },
    refusals: ['not_found'],
    handle: async ({ user, parameters: { slug }, query: { since: from } }) => {
      const { callers, missing, counted, countedSince } = await totalCallers(
        ports,
        { ownerId: user.id, slug },
        from,
      );
      return apiReply(200, {
        items: callers.map(({ subject, email, clientId, grantId, lastAt, ...counted }) => ({
          subject,
          ...(email !== undefined && { email }),
          ...(clientId !== undefined && { client_id: clientId }),
          ...(grantId !== undefined && { grant_id: grantId }),
          ...counted,
          last_at: isoTime(lastAt),
        })),
        missing_arguments: [...missing],
        calls: counted,
        complete: countedSince === undefined,
        ...(countedSince !== undefined && { since: isoTime(countedSince) }),
      });
    },
  }),
];

const shown = ({ slug, total, hours }: DeploymentTotal): z.input<typeof Total> => ({
  slug,
  ...countsOf(total),
  hours: hours.map(({ hour, ...its }) => ({ hour: `${hour}:00:00Z`, ...countsOf(its) })),
});
