import { isoTime } from '../../platform/rules/time.ts';
import { apiReply } from '../../platform/http/reply.ts';
import {
  type DeploymentTotal,
  type NewestCalls,
  totalCallers,
  totalOwnCalls,
  totalProblems,
} from '../steps/total-calls.ts';
import { type Problem, PROBLEM_CAUSES, REMEDIES } from '../rules/problems.ts';
import { callFault } from './calls.ts';
import * as z from 'zod';
import { counts, countsOf, errors, since, trials } from './activity.ts';
import { pageBody, pageOf, pageQuery } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import type { PortsOf } from '../../platform/ports.ts';
import { bodyOf } from '../../platform/rules/shape.ts';

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
  client_name: z.string().optional().meta({ description: 'As the client calls itself.' }),
  grant_id: z.string().optional().meta({ description: 'That of the latest call.' }),
  calls: z.int(),
  errors,
  refused: z.int().meta({ description: 'Of the errors: nothing was sent to the API.' }),
  last_at: z.iso.datetime(),
});

/** Counts over the newest calls. */
const newest = {
  calls: z.int().meta({ description: 'How many were counted: the newest ones, without trials.' }),
  errors,
  trials,
  complete: z.boolean(),
  since: z.iso
    .datetime()
    .optional()
    .meta({ description: 'From when on all are counted, if there are more.' }),
};

const Callers = z.object({
  items: z.array(Caller).meta({ description: 'The busiest first, at most 100.' }),
  ...newest,
});

const ProblemAnswer = z.object({
  tool: z.string(),
  cause: z.enum(PROBLEM_CAUSES),
  ...callFault.partial().shape,
  reason: z
    .string()
    .optional()
    .meta({ description: 'Of calls that were refused, or got no answer: as calls have it.' }),
  status: z.int().optional().meta({ description: 'Of the answer of the API.' }),
  words: z.array(z.string()).optional().meta({
    description: 'Of searches that found nothing, which are no errors.',
  }),
  without_tool: z.literal(true).optional().meta({
    description: 'Requests that called no tool, and are no errors of calls: `tool` is a method.',
  }),
  calls: z.int(),
  callers: z.int().meta({ description: 'How many people or programs.' }),
  last_at: z.iso.datetime(),
  what: z.string().meta({ description: 'In words, such as `filter is sent as an object`.' }),
  remedies: z.array(z.enum(REMEDIES)).meta({
    description:
      '`lenient_checks`: set `argument_checks`; `describe_`, `rename_`, `hide_`, `fix_` and `add_keywords`: overrides of the tool; `overlay`: mend the description; `set_credential`.',
  }),
});

const Problems = z.object({
  items: z.array(ProblemAnswer).meta({ description: 'The most frequent first, at most 100.' }),
  ...newest,
});

/** Source: docs/decisions/management.md, "Activity". */
export const totalCallRoutes = (ports: PortsOf<typeof totalOwnCalls>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/account/calls',
    operationId: 'totalCalls',
    effects: [],
    forTokens: 'logs',
    tag: 'activity',
    summary:
      'How often your deployments were called today, hour by hour, in the order of their list.',
    query: pageQuery(LIST).extend({
      since: since.meta({ description: 'The first day, a week ago at most; today if omitted.' }),
    }),
    answers: { 200: { description: 'A page of deployments.', schema: pageOf(Total) } },
    handle: async ({ user, query: { limit, cursor: after, since: from } }) => {
      const { items, next } = await totalOwnCalls(ports, user.id, from, { limit, after });
      return apiReply(200, pageBody(LIST, items.map(totalBody), next));
    },
  }),

  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/callers',
    operationId: 'listCallers',
    effects: [],
    forTokens: 'logs',
    tag: 'activity',
    summary: 'Who called, through which client, and how that went.',
    query: z.strictObject({ since }),
    answers: { 200: { description: 'Those of the newest 5,000 calls.', schema: Callers } },
    handle: async ({ user, parameters: { slug }, query: { since: from } }) => {
      const { callers, ...counts } = await totalCallers(ports, { ownerId: user.id, slug }, from);
      return apiReply(200, {
        items: callers.map((caller) =>
          bodyOf(Caller, { ...caller, lastAt: isoTime(caller.lastAt) }),
        ),
        ...newestBody(counts),
      });
    },
  }),

  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/problems',
    operationId: 'listProblems',
    effects: [],
    forTokens: 'logs',
    tag: 'activity',
    summary: 'What went wrong with calls, by tool and cause, with what mends it.',
    query: z.strictObject({ since }),
    answers: {
      200: {
        description: 'Those of the newest 5,000 calls, without trials.',
        schema: Problems,
      },
    },
    handle: async ({ user, parameters: { slug }, query: { since: from } }) => {
      const { problems, ...counts } = await totalProblems(ports, { ownerId: user.id, slug }, from);
      return apiReply(200, { items: problems.map(problemBody), ...newestBody(counts) });
    },
  }),
];

const problemBody = ({
  lastAt,
  remedies,
  words,
  withoutTool,
  ...others
}: Problem): z.input<typeof ProblemAnswer> => ({
  ...others,
  ...(words && { words: [...words] }),
  ...(withoutTool && { without_tool: withoutTool }),
  last_at: isoTime(lastAt),
  remedies: [...remedies],
});

const newestBody = ({ calls, errors, trials, countedSince }: NewestCalls) => ({
  calls,
  errors,
  trials,
  complete: countedSince === undefined,
  ...(countedSince !== undefined && { since: isoTime(countedSince) }),
});

const totalBody = ({ slug, total, hours }: DeploymentTotal): z.input<typeof Total> => ({
  slug,
  ...countsOf(total),
  hours: hours.map(({ hour, ...its }) => ({ hour: `${hour}:00:00Z`, ...countsOf(its) })),
});
