import type { ActivityPorts } from '../ports.ts';
import { type Minute, minuteOf, minutesAfter, minutesFrom, secondOf } from '../rules/minutes.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import { eachAtOnce } from '../../platform/rules/at-once.ts';
import type { Counted, CountedPart } from '../rules/call-counts.ts';
import {
  MARK_DAYS,
  markOf,
  PARTS,
  type Reading,
  SHARDS,
  type TouchedMinute,
  type Writing,
} from '../rules/touched.ts';
import { countTouched } from './count-touched.ts';
import type { PortsOf } from '../../platform/ports.ts';

type TallyPorts = PortsOf<typeof countTouched> & Pick<ActivityPorts, 'clock' | 'tallyRequests'>;

/**
 * Minutes after which a minute's marks are final. Storing calls takes at most one, so that clocks may differ by up to
 * three minutes.
 */
const GRACE = 5;
/** Each minute's marks are counted once more a day later. */
const AGAIN = 24 * 60;
/** Minutes to look back where nothing has been counted yet. */
const FIRST = 60;
/** Most minutes that one run counts finally. */
const MOST = 30;
/** A run starts no further minute after this time. */
const LONG_MS = 40_000;
/** With more touched minutes, each part is counted by an invocation of its own. */
const MANY = 500;
/** Minutes of delay from which on a run fails if it does not catch up. */
const LATE = 15;

/** The time is checked after each batch: this many minutes of the busiest server take half a minute. */
const A_BATCH = 32;
/** Time for a part, plus the batch that is under way then. */
const PART_MS = 25_000;
/** Parts counted in parallel within one instance: as many reads as its connections to the table carry. */
const PARTS_HERE = 2;

/** Marks of some minutes in one part, to be counted. */
export interface PartOfMarks extends Reading, Writing {
  readonly seenAt: readonly Minute[];
  readonly part: number;
  /** Number of touched minutes that are counted already, in their order. */
  readonly from: number;
}

interface CountedMarks extends Counted {
  /** Number of counted minutes in each part; undefined if all are. */
  readonly begun?: readonly number[];
}

/**
 * One run per minute: counts recent minutes for charts, and finally counts what was touched since the last final
 * minute. After a failed run the next one repeats the minute; a run that is too slow for a minute stores its
 * progress.
 * @throws Error if counting is late and does not catch up
 * Source: docs/decisions/storage.md, "Calls are counted afterwards".
 */
export const tallyNow = async (ports: TallyPorts): Promise<Counted & { readonly done: Minute }> => {
  const { callTally, clock } = ports;
  const begunAt = clock.elapsedMs();
  const now = minuteOf(clock.now());
  const stored = await callTally.tallied();
  let done = firstOf(stored?.done, now);
  // Stored before counting: otherwise failing runs would never count a stage's first minutes, and progress would be
  // stored for another minute.
  if (done !== stored?.done) await callTally.raiseDone(done);
  // Late minutes first: charts would take their time.
  const isBehind = (secondOf(now) - secondOf(done)) / MINUTE > LATE;
  const charts = async () => countMarks(ports, [now, minutesAfter(now, -1)], FOR_CHARTS);
  const counts = isBehind ? [] : [await charts()];
  let [ended, hasBegun] = [0, false];
  const due = minutesFrom(minutesAfter(done, 1), minutesAfter(now, -GRACE)).slice(0, MOST);
  for (const seenAt of due) {
    if (ended > 0 && clock.elapsedMs() - begunAt > LONG_MS) break;
    const before = stored?.begun?.minute === seenAt ? stored.begun.counted : [];
    const marks = [seenAt, minutesAfter(seenAt, -AGAIN)];
    const { begun, ...counted } = await countMarks(ports, marks, FOR_GOOD, before);
    counts.push(counted);
    if (begun) {
      await callTally.noteBegun(done, { minute: seenAt, counted: [...begun] });
      hasBegun = true;
      break;
    }
    await callTally.raiseDone(seenAt);
    done = seenAt;
    ended += 1;
  }
  if (isBehind && clock.elapsedMs() - begunAt < LONG_MS) counts.push(await charts());
  if (now.endsWith(AGAIN_AT)) await countUntallied(ports, begunAt);
  const late = (secondOf(now) - secondOf(done)) / MINUTE;
  const isCatchingUp = ended > 1 || hasBegun;
  if (late > LATE && !isCatchingUp) {
    throw new Error(`the tally of calls is ${late} minutes late and does not catch up`);
  }
  return { done, ...sumOf(counts) };
};

/** Minute of the hour for another try at unreadable calls. */
const AGAIN_AT = ':07';

/**
 * Tries unreadable minutes again, since this version may read them. What stays unreadable goes back to the queue;
 * once only such minutes come again, all have been tried.
 */
const countUntallied = async (ports: TallyPorts, begunAt: number): Promise<void> => {
  const counted = new Set<string>();
  let isAll = false;
  while (!isAll) {
    const some = await ports.untallied.some();
    const told = some.told.filter(({ minute }) => !minute || !counted.has(markOf(minute)));
    const minutes = told.flatMap(({ minute }) => minute ?? []);
    await countTouched(ports, minutes, FOR_GOOD);
    await ports.untallied.remove(told);
    for (const minute of minutes) counted.add(markOf(minute));
    const isLong = ports.clock.elapsedMs() - begunAt > LONG_MS;
    isAll = some.isAll || told.length === 0 || isLong;
  }
};

const FOR_CHARTS = { isForGood: false, isAnew: false } as const;
const FOR_GOOD = { isForGood: true, isAnew: false } as const;

/** Older marks have expired. */
const firstOf = (done: Minute | undefined, now: Minute): Minute => {
  const oldest = minutesAfter(now, (1 - MARK_DAYS) * AGAIN);
  if (done === undefined) return minutesAfter(now, -FIRST);
  return done > oldest ? done : oldest;
};

/** @param from - number of counted minutes in each part. The order of the marks of a final minute never changes. */
const countMarks = async (
  ports: TallyPorts,
  seenAt: readonly Minute[],
  how: Reading & Writing,
  from: readonly number[] = [],
): Promise<CountedMarks> => {
  const parts = await Promise.all(
    Array.from({ length: PARTS }, async (_, part) => {
      const marks = { seenAt, part, from: from[part] ?? 0, ...how };
      const touched = await touchedIn(ports, marks);
      return { marks, touched, left: Math.max(0, touched.length - marks.from) };
    }),
  );
  const isMuch = parts.reduce((sum, { left }) => sum + left, 0) > MANY;
  const untilMs = ports.clock.elapsedMs() + PART_MS;
  const counts = await eachAtOnce(
    isMuch ? PARTS : PARTS_HERE,
    parts,
    async ({ marks, touched, left }): Promise<CountedPart> => {
      if (left === 0) return NOTHING;
      return isMuch
        ? ports.tallyRequests.send({ tally: 'part', ...marks })
        : countPart(ports, marks, { touched, untilMs });
    },
  );
  const sum = sumOf(counts);
  if (counts.every(({ next }) => next === undefined)) return sum;
  return { ...sum, begun: parts.map(({ touched }, part) => counts[part]?.next ?? touched.length) };
};

const NOTHING: Counted = { minutes: 0, unread: 0 };

const touchedIn = async (
  { callTally }: PortsOf<typeof countTouched>,
  { seenAt, part, ...how }: PartOfMarks,
): Promise<readonly TouchedMinute[]> =>
  (await Promise.all(seenAt.map((minute) => callTally.touched(minute, part, how)))).flat();

/** For one part, invoked by a run; it never invokes others. */
export const tallyPart = async (ports: TallyPorts, part: PartOfMarks): Promise<CountedPart> =>
  countPart(ports, part, {
    touched: await touchedIn(ports, part),
    untilMs: ports.clock.elapsedMs() + PART_MS,
  });

/** Counts at least one batch, so that a run always makes progress. */
const countPart = async (
  ports: TallyPorts,
  part: PartOfMarks,
  { touched, untilMs }: { readonly touched: readonly TouchedMinute[]; readonly untilMs: number },
): Promise<CountedPart> => {
  const counts: Counted[] = [];
  for (let at = part.from; at < touched.length; at += A_BATCH) {
    if (at > part.from && ports.clock.elapsedMs() > untilMs) return { ...sumOf(counts), next: at };
    counts.push(await countTouched(ports, touched.slice(at, at + A_BATCH), part));
  }
  return sumOf(counts);
};

export interface Recounted extends Counted {
  readonly next?: string;
}

/** Counts finally what was touched in these minutes, until time runs out. */
export const recountMarks = async (
  ports: TallyPorts,
  { from, to, isAnew }: { readonly from: Minute; readonly to: Minute } & Writing,
): Promise<Recounted> =>
  inTurn(ports.clock, minutesFrom(from, to), async (seenAt) => {
    const counts: CountedMarks[] = [];
    do {
      const how = { isForGood: true, isAnew };
      counts.push(await countMarks(ports, [seenAt], how, counts.at(-1)?.begun));
    } while (counts.at(-1)?.begun);
    return sumOf(counts);
  });

/**
 * Counts all calls of a deployment finally, marked or not, until time runs out: minute by minute, since a busy server
 * has more calls in an hour than one invocation can count.
 */
export const recountDeployment = async (
  ports: TallyPorts,
  {
    deploymentId,
    from,
    to,
    isAnew,
  }: { readonly deploymentId: string; readonly from: Minute; readonly to: Minute } & Writing,
): Promise<Recounted> => {
  const { callTally, clock } = ports;
  const begunAt = clock.elapsedMs();
  const counts: Counted[] = [];
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  let ahead = await eachAtOnce(SHARDS, shards, (shard) =>
    callTally.firstMinute(deploymentId, shard, [from, to]),
  );
  for (;;) {
    const left = ahead.filter((one) => one !== undefined);
    const [minute] = left.map((one) => one.minute).toSorted();
    if (minute === undefined) return sumOf(counts);
    if (counts.length > 0 && clock.elapsedMs() - begunAt > LONG_MS) {
      return { ...sumOf(counts), next: minute };
    }
    const touched = left.filter((one) => one.minute === minute);
    counts.push(await countTouched(ports, touched, { isForGood: true, isAnew }));
    ahead = await eachAtOnce(SHARDS, left, async (one) =>
      one.minute === minute
        ? callTally.firstMinute(deploymentId, one.shard, [minutesAfter(minute, 1), to])
        : one,
    );
  }
};

const inTurn = async (
  clock: TallyPorts['clock'],
  times: readonly string[],
  count: (time: string) => Promise<Counted>,
): Promise<Recounted> => {
  const begunAt = clock.elapsedMs();
  const counts: Counted[] = [];
  for (const time of times) {
    if (counts.length > 0 && clock.elapsedMs() - begunAt > LONG_MS) {
      return { ...sumOf(counts), next: time };
    }
    counts.push(await count(time));
  }
  return sumOf(counts);
};

const sumOf = (counts: readonly Counted[]): Counted => ({
  minutes: counts.reduce((sum, { minutes }) => sum + minutes, 0),
  unread: counts.reduce((sum, { unread }) => sum + unread, 0),
});
