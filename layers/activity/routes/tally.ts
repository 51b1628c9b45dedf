import * as z from 'zod/mini';
import { z as full } from 'zod';
import { operated, operatorCommand, theService } from '../../api/operator.ts';
import { isOperatorEvent } from '../../platform/http/event.ts';
import type { InvocationContext } from '../../platform/system/clock.ts';
import { recount } from '../steps/recount.ts';
import { tallyNow, tallyPart } from '../steps/tally-calls.ts';
import type { PortsOf } from '../../platform/ports.ts';

const Event = z.discriminatedUnion('tally', [
  z.strictObject({ tally: z.literal('now') }),
  z.strictObject({
    tally: z.literal('part'),
    seenAt: z.array(z.string()),
    part: z.int(),
    // Absent in events of the previous version.
    from: z._default(z.int(), 0),
    isForGood: z.boolean(),
    isAnew: z.boolean(),
  }),
]);

const Recount = full.strictObject({
  slug: full.string().min(1).max(63).optional(),
  since: full.int(),
  until: full.int(),
  anew: full.boolean().default(false),
  after: full.string().max(16).optional(),
});

/**
 * Counts calls. Invoked by its schedule, by itself for parts of the work, and by operators for a recount.
 * @throws Error for an event of another kind, and if counting is late
 * @throws Fault if a store is down: the next run repeats the work
 */
export const server = (ports: PortsOf<typeof recount | typeof operated>) => {
  const operator = operated(ports, {
    recount: operatorCommand(
      Recount,
      ({ slug }) => slug ?? theService(),
      ({ slug, anew: isAnew, after, ...time }) => recount(ports, { ...time, slug, isAnew, after }),
    ),
  });
  return (event: unknown, context?: InvocationContext): Promise<object> =>
    isOperatorEvent(event) ? operator(event, context) : answerTo(ports, event);
};

const answerTo = async (ports: PortsOf<typeof tallyNow>, event: unknown): Promise<object> => {
  const read = z.safeParse(Event, event);
  if (!read.success) throw new Error('not an event of this function');
  return read.data.tally === 'now' ? tallyNow(ports) : tallyPart(ports, read.data);
};
