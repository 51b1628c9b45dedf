import { isoTime } from '../../../platform/rules/time.ts';
import { apiReply } from '../../../platform/http/reply.ts';
import type { BlockedSubject } from '../../../limits/rules/decisions.ts';
import { type BlockPorts, findBlocks, liftBlock } from '../../../maintenance/steps/blocks.ts';
import * as z from 'zod';
import { type ApiRoute, operatorRoute } from '../../../api/route.ts';

const tag = 'operator';

const subject = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'An IP address in any spelling, or as events name it.' });

const Blocks = z.object({
  subject: z.string().meta({ description: 'An IPv4 address, or the /64 of an IPv6 one.' }),
  items: z.array(
    z.object({
      slug: z.string().optional().meta({
        description: 'Of the deployment where it is blocked; absent: everywhere.',
      }),
      until: z.iso.datetime(),
      limit: z
        .string()
        .meta({ description: 'The name of the limit that was passed many times over.' }),
    }),
  ),
});

/** One address at a time: listing all blocks needs a permission that only the maintenance function has. */
export const operateBlockRoutes = (ports: Omit<BlockPorts, 'timeLeft'>): readonly ApiRoute[] => [
  operatorRoute({
    method: 'GET',
    path: '/operator/blocks',
    operationId: 'findBlocks',
    effects: [],
    tag,
    summary: 'Where a client address is blocked at public deployments, and until when.',
    query: z.strictObject({ subject }),
    answers: { 200: { description: 'Its blocks; none: it is let in.', schema: Blocks } },
    handle: async ({ query }) => {
      const found = await findBlocks(ports, query.subject);
      return apiReply(200, { subject: found.subject, items: found.blocked.map(blockBody) });
    },
  }),

  operatorRoute({
    method: 'DELETE',
    path: '/operator/blocks',
    operationId: 'liftBlocks',
    effects: [],
    tag,
    summary: 'Lets a blocked address in again, within a minute. Also one that is not blocked.',
    query: z.strictObject({
      subject,
      slug: z.string().min(1).max(63).optional().meta({
        description: 'At this deployment alone; everywhere if omitted.',
      }),
    }),
    answers: { 204: { description: 'It is let in.' } },
    handle: async ({ user, query }) => {
      await liftBlock(ports, query.subject, query.slug, user.id);
      return apiReply(204);
    },
  }),
];

const blockBody = ({ slug, until }: BlockedSubject): z.input<typeof Blocks>['items'][number] => ({
  ...(slug !== undefined && { slug }),
  until: isoTime(until),
  limit: 'public_requests_per_minute_per_ip',
});
