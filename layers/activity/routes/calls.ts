import { isoTime } from '../../platform/rules/time.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { CALL_OUTCOMES } from '../../events/rules/call-outcome.ts';
import { listCalls, type NamedCall } from '../steps/list-calls.ts';
import * as z from 'zod';
import { pageBody, pageOf, pageQuery } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { since } from './activity.ts';
import type { PortsOf } from '../../platform/ports.ts';
import { bodyOf } from '../../platform/rules/shape.ts';

const LIST = 'calls';

export const nameField = z.string().min(1).max(512).optional();

export const subjectField = nameField.meta({
  description:
    "Who called: a user's e-mail or id, an address where anybody may call, or the `sub` of the trusted issuer.",
});

const Query = pageQuery(LIST).extend({
  since,
  tool: nameField,
  subject: subjectField,
  client: nameField.meta({ description: 'The id of an OAuth client.' }),
  outcome: z.enum(CALL_OUTCOMES).optional(),
});

export const callFault = z.object({
  argument: z.string().optional().meta({
    description:
      'As the description names it, with what is inside, as `filter.items[].price`. Absent: the arguments together, or one that the tool does not have.',
  }),
  keyword: z.string().meta({
    description:
      'A keyword of JSON Schema; `path`: it is missing, and a part of the address; `structure`: an object or a list, where the other is described, or a scalar; `unknown`: no argument of the tool; `together`: arguments that do not go together; `unreadable`, `size`, `request`: what cannot be read or sent; `unknown_operation`: of search mode.',
  }),
  sent: z
    .string()
    .optional()
    .meta({ description: 'Of `type`: the type of the value that was sent.' }),
});

export const Call = z.object({
  at: z.iso.datetime(),
  tool: z.string().meta({
    description:
      'Of a page in a browser that is refused before it calls a tool, the method of MCP that it sent.',
  }),
  version: z.int().meta({ description: 'Of the deployment.' }),
  outcome: z.enum(CALL_OUTCOMES).meta({
    description:
      '`unfinished`: it was sent, and no end of it is known. It is under way, or the function died while the target answered, which may have carried it out.',
  }),
  trial: z
    .literal(true)
    .optional()
    .meta({ description: 'Its owner tried the tool; absent of calls of clients.' }),
  without_tool: z.literal(true).optional().meta({
    description: 'A request that called no tool: it is listed, and counts as no call.',
  }),
  status: z.int().optional().meta({ description: "HTTP status of the target's answer." }),
  reason: z.string().optional().meta({ description: 'Why the call got no answer.' }),
  faults: z.array(callFault).optional().meta({
    description:
      'Of a refused call: what is wrong with its arguments, without any value; 5 at most.',
  }),
  words: z.array(z.string()).optional().meta({
    description: 'Of a search that found nothing: its words, without those with digits or signs.',
  }),
  origin: z.string().optional().meta({
    description: 'The page in a browser that was refused: `allowed_origins` does not name it.',
  }),
  duration_ms: z.int().meta({ description: '0 where nothing was sent, or no end is known.' }),
  answer_tokens: z.int().optional().meta({
    description:
      "What the result takes of a model's context, roughly, as budgets count it; absent where there was none, or no text in it.",
  }),
  subject: z.string().meta({ description: 'A user, or an address where anybody may call.' }),
  email: z.string().optional().meta({ description: 'Of the user, who has let a client act.' }),
  client_id: z.string().optional(),
  client_name: z.string().optional().meta({ description: 'As the client calls itself.' }),
  grant_id: z.string().optional(),
  token_id: z.string().optional().meta({ description: '`jti` of the JWT.' }),
  ip: z.string(),
  request_id: z.string(),
  index: z.int().meta({ description: 'Its place among the messages of that request.' }),
  network: z.string().optional().meta({ description: 'The private network that it was made in.' }),
  credential_version: z
    .string()
    .optional()
    .meta({ description: "Which version of the target's credential the call carried." }),
  credentials: z
    .array(z.object({ name: z.string(), type: z.string(), version: z.string() }))
    .optional()
    .meta({
      description: 'Which credentials it carried, where they are more than one, or have a name.',
    }),
});

/** Source: docs/decisions/storage.md, "Calls are accountable". */
export const callRoutes = (ports: PortsOf<typeof listCalls>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/calls',
    operationId: 'listCalls',
    effects: [],
    forTokens: 'logs',
    tag: 'activity',
    summary: 'The calls of the tools one by one, the newest first; kept as long as logs are.',
    query: Query,
    answers: {
      200: {
        description:
          'A page; one that has fewer calls than wanted may still have another after it.',
        schema: pageOf(Call),
      },
    },
    handle: async ({ user, parameters: { slug }, query }) => {
      const { cursor: after, client: clientId, tool, subject, outcome, since: from, limit } = query;
      const owned = { ownerId: user.id, slug };
      const wanted = { tool, subject, clientId, outcome, since: from, after, limit };
      const { calls, next } = await listCalls(ports, owned, wanted);
      return apiReply(200, pageBody(LIST, calls.map(callBody), next));
    },
  }),
];

export const callBody = ({ call, email, clientName }: NamedCall): z.input<typeof Call> =>
  bodyOf(Call, { ...call, at: isoTime(call.at), email, clientName });
