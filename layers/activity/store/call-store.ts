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

/** Milliseconds before each retry of a failed write. */
const PAUSES = [500, 1000, 2000, 4000];

/** Minutes of deployments that are written in parallel. */
const AT_ONCE = 16;

/**
 * Stores calls that arrive together in one immutable item, whose key is derived from them: an event that is delivered
 * twice is stored once. The same calls in events that are split differently make other items; readers drop
 * duplicates. Each write is marked for counting, by the current minute and the minute of the calls. The current
 * minute is taken before the first write, and its final count begins after any write of it must have ended. A call
 * has two log lines, usually in one event; then only its end is stored. A beginning without its end is stored, and
 * readers drop it once the end exists, whichever came first.
 */
export const dynamoCallStore = (
  { clock, pause }: Pick<PlatformPorts, 'clock' | 'pause'>,
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
) => {
  /** Marks that this instance wrote in the current minute. */
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
      // Also after a failure: parts that were stored must be counted.
      if (!marks.has(mark)) {
        const deleteAfter = clock.now() + MARK_DAYS * DAY;
        await put(touchedKey(seenAt, partOf(deploymentId), mark), { deleteAfter });
        // Only after the mark is stored: later events of this minute skip it.
        marks.add(mark);
      }
    }
  };

  return {
    /**
     * Stores calls that are not stored yet, and marks them for counting.
     * @param source - log stream of the lines, which selects the shard
     * @throws Fault; some calls may be stored then, and repeating stores the rest
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

/** Groups calls by deployment and minute. Beginnings whose end is in the same batch are dropped. */
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
