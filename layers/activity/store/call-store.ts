import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { isUnfinished } from '../../events/rules/call-outcome.ts';
import { type CallRecord, placeOfCall } from '../../events/rules/call-record.ts';
import type { PlatformPorts } from '../../platform/ports.ts';
import { eachAtOnce } from '../../platform/rules/at-once.ts';
import { DAY } from '../../platform/rules/time.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { callsKey, type ItemKey, touchedKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, undefinedUnlessMet } from '../../platform/dynamodb/items.ts';
import { type Minute, minuteOf } from '../rules/minutes.ts';
import { MARK_DAYS, markOf, partOf, shardOf } from '../rules/touched.ts';
import { chunkName, packCalls, partsOf } from './call-item.ts';

/** Milliseconds before each further try of what the table would not take. */
const PAUSES = [500, 1000, 2000, 4000];

/** Minutes of deployments that are written at once. */
const AT_ONCE = 16;

/**
 * Calls that come together are kept in one item, which is never changed: its key names all of them, so that an event
 * that comes twice is stored once. An event that was cut otherwise has other items, and whoever reads takes each call
 * once.
 *
 * What has been touched is marked then, for whoever counts: the mark says in which minute by the clock there was
 * something new in which minute of calls. That minute is taken before anything is put, and whoever counts it for good
 * begins later than all of it can have taken.
 *
 * A call that was sent has two lines, as a rule in one event: then the first is left out. Where the end is not there,
 * the beginning is kept, and whoever reads leaves it out once the end is there too: so the order in which they come
 * makes no difference.
 */
export const dynamoCallStore = (
  { clock, pause }: Pick<PlatformPorts, 'clock' | 'pause'>,
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
) => {
  /** What this instance has marked in the current minute. */
  let marked = { in: '', marks: new Set<string>() };

  const marksIn = (minute: Minute): Set<string> => {
    if (marked.in !== minute) marked = { in: minute, marks: new Set() };
    return marked.marks;
  };

  const untilTaken = async <Taken>(write: () => Promise<Taken>): Promise<Taken> => {
    for (let tries = 0; ;) {
      try {
        return await write();
      } catch (error) {
        const ms = PAUSES[tries++];
        if (!(error instanceof Fault) || ms === undefined) throw error;
        await pause(ms);
      }
    }
  };

  const put = (key: ItemKey, attributes: object, condition: object = {}): Promise<unknown> =>
    untilTaken(() =>
      dynamo
        .send(new PutCommand({ TableName, Item: { ...key, ...attributes }, ...condition }))
        .catch(undefinedUnlessMet),
    );

  const append = (deploymentId: string, shard: number, calls: readonly CallRecord[]) => {
    const [first, last] = [calls[0], calls.at(-1)] as [CallRecord, CallRecord];
    const begun = calls.filter(isUnfinished);
    const attributes = {
      calls: packCalls(calls.filter((call) => !isUnfinished(call))),
      ...(begun.length > 0 && { begun: packCalls(begun) }),
      seen: calls.length,
      deleteAfter: last.at + retentionDays * DAY,
    };
    const key = callsKey(deploymentId, shard, placeOfCall(first), chunkName(calls));
    return put(key, attributes, ABSENT);
  };

  /** @param calls - of one minute of a deployment */
  const storeMinute = async (
    { seenAt, marks, shard }: { seenAt: Minute; marks: Set<string>; shard: number },
    { deploymentId, minute, calls }: CallsOfMinute,
  ): Promise<void> => {
    const mark = markOf({ deploymentId, shard, minute });
    try {
      for (const part of partsOf(calls)) await append(deploymentId, shard, part);
    } finally {
      // What stands is counted, though the rest of it is refused.
      if (!marks.has(mark)) {
        const deleteAfter = clock.now() + MARK_DAYS * DAY;
        await put(touchedKey(seenAt, partOf(deploymentId), mark), { deleteAfter });
        // Not before it stands: a later event of this minute leaves it out.
        marks.add(mark);
      }
    }
  };

  return {
    /**
     * Keeps those calls that are not kept yet, and has them counted.
     *
     * @param source - where they come from, of which each call has one: a line stays in its log stream
     * @throws Fault, and then some may be kept; storing all of them again keeps the others
     */
    store: async (calls: readonly CallRecord[], source: string): Promise<void> => {
      const seenAt = minuteOf(clock.now());
      const at = { seenAt, marks: marksIn(seenAt), shard: shardOf(source) };
      await eachAtOnce(AT_ONCE, byMinute(calls), (its) => storeMinute(at, its));
    },
  };
};

export type CallStore = ReturnType<typeof dynamoCallStore>;

interface CallsOfMinute {
  readonly deploymentId: string;
  readonly minute: Minute;
  readonly calls: readonly CallRecord[];
}

/** Without beginnings whose end is among them. */
const byMinute = (calls: readonly CallRecord[]): readonly CallsOfMinute[] =>
  [...Map.groupBy(calls, ({ deploymentId }) => deploymentId)].flatMap(([deploymentId, its]) => {
    const ended = new Set(its.filter((call) => !isUnfinished(call)).map(placeOfCall));
    const kept = its.filter((call) => !isUnfinished(call) || !ended.has(placeOfCall(call)));
    return [...Map.groupBy(kept, ({ at }) => minuteOf(at))].map(([minute, ofMinute]) => ({
      deploymentId,
      minute,
      calls: ofMinute,
    }));
  });
