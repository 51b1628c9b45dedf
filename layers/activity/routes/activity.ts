import { isoTime } from '../../platform/rules/time.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { ACTIVITY_TYPES, EVENT_TYPES, wireName } from '../../events/rules/call-record.ts';
import type { ActivityEntry } from '../rules/page.ts';
import type { CallCounts } from '../rules/call-counts.ts';
import { listAccountActivity, listActivity } from '../steps/list-activity.ts';
import * as z from 'zod';
import { answerBudget } from '../../api/answer.ts';
import { pageBody, pageOf, pageQuery } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import type { PortsOf } from '../../platform/ports.ts';

const LIST = 'activity';
const ACCOUNT_LIST = 'account-activity';

export const since = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'Send an ISO 8601 date or date-time.')
  .transform((sent) => Math.floor(Date.parse(sent) / 1000))
  .optional()
  .meta({
    description: 'The first moment that counts; at most 90 days ago, which it is if omitted.',
  });

const Query = pageQuery(LIST).extend({ type: z.enum(ACTIVITY_TYPES).optional(), since });
const AccountQuery = pageQuery(ACCOUNT_LIST).extend({
  type: z.enum(EVENT_TYPES).optional(),
  since,
});

const Happened = z.looseObject({
  type: z.enum(EVENT_TYPES),
  at: z.iso.datetime(),
});
export const errors = z.int().meta({
  description:
    'Of the calls: those that were refused, or that the API answered with an error, or not at all.',
});
export const trials = z.int().meta({
  description: "The owner's trials, which are not among the calls and their errors.",
});
export const counts = {
  calls: z.int(),
  outcomes: z
    .object({ ok: z.int(), target_error: z.int(), no_answer: z.int(), refused: z.int() })
    .meta({ description: 'Of refused calls nothing was sent to the target.' }),
  errors,
  trials,
  latency_ms: z
    .object({ count: z.int(), sum: z.int(), max: z.int() })
    .meta({ description: 'Of the calls that were sent.' }),
};
const Called = z.object({
  type: z.literal('tool_invocations'),
  day: z.iso.date(),
  tool: z.string(),
  ...counts,
  hours: z
    .array(z.object({ hour: z.int().meta({ description: 'Of the day, 0 to 23.' }), ...counts }))
    .meta({ description: 'Those with calls, in order; none where the page would be too long.' }),
});

/** Source: docs/decisions/management.md, "Activity". */
export const activityRoutes = (ports: PortsOf<typeof listActivity>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/activity',
    operationId: 'listActivity',
    effects: [],
    forTokens: 'logs',
    tag: 'activity',
    summary:
      'What has happened: events one by one, tools by their calls of a day; the newest first.',
    query: Query,
    answers: { 200: { description: 'A page.', schema: pageOf(z.union([Happened, Called])) } },
    handle: async ({ user, parameters: { slug }, query }) => {
      const { limit, cursor: after, type, since: from } = query;
      const wanted = { type, since: from, after, limit };
      const owned = { ownerId: user.id, slug };
      const { entries, next } = await listActivity(ports, owned, wanted);
      return apiReply(200, pageBody(LIST, withHours(entries), next));
    },
  }),

  ownerRoute({
    method: 'GET',
    path: '/account/activity',
    operationId: 'listAccountActivity',
    effects: [],
    forTokens: 'logs',
    tag: 'activity',
    summary:
      'What has happened to your account: sign-ins that failed or were locked out, links to the console, new passwords; the newest first.',
    query: AccountQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(Happened) } },
    handle: async ({ user, query: { limit, cursor: after, type, since: from } }) => {
      const wanted = { type, since: from, after, limit };
      const { entries, next } = await listAccountActivity(ports, user.id, wanted);
      return apiReply(200, pageBody(ACCOUNT_LIST, entries.map(entryBody), next));
    },
  }),
];

/** Bytes of entries with hours: thousands of tools may be called in every hour of a day. */
const MOST_HOURS = 2_500_000;

const withHours = (entries: readonly ActivityEntry[]) => {
  const whole = answerBudget(MOST_HOURS).fitting(entries, entryBody);
  return [
    ...whole,
    ...entries
      .slice(whole.length)
      .map((entry) => entryBody(entry.kind === 'tool' ? withoutHours(entry) : entry)),
  ];
};

const withoutHours = (entry: Extract<ActivityEntry, { kind: 'tool' }>): ActivityEntry => ({
  ...entry,
  day: { ...entry.day, hours: [] },
});

const entryBody = (entry: ActivityEntry): z.input<typeof Happened> | z.input<typeof Called> => {
  if (entry.kind === 'event') {
    const { type, at, details } = entry.event;
    const named = Object.entries(details).map(([name, value]) => [wireName(name), value]);
    return { ...Object.fromEntries(named), type, at: isoTime(at) };
  }
  const { day, tool, hours, ...all } = entry.day;
  return {
    type: 'tool_invocations',
    day,
    tool,
    ...countsOf(all),
    hours: hours.map(({ hour, ...its }) => ({ hour: Number(hour.slice(11)), ...countsOf(its) })),
  };
};

export const countsOf = (all: CallCounts) => ({
  calls: all.calls,
  outcomes: {
    ok: all.ok,
    target_error: all.targetErrors,
    no_answer: all.noAnswers,
    refused: all.refused,
  },
  errors: all.errors,
  trials: all.trials,
  latency_ms: { count: all.sent, sum: all.latencySumMs, max: all.latencyMaxMs },
});
