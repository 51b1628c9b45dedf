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
 * Minutes after which a minute by the clock is counted for good: what was put in it has stood for four then, since
 * whoever puts it takes a minute at most, so that clocks may differ by three.
 */
const GRACE = 5;
/** Of these minutes what was touched is counted for good once more, a day later. */
const AGAIN = 24 * 60;
/** Where nothing has been counted for good yet. */
const FIRST = 60;
/** Minutes by the clock that one run counts for good at most. */
const MOST = 30;
/** After so long a run begins no further minute. */
const LONG_MS = 40_000;
/** Above so many touched minutes each part is counted by an invocation of its own. */
const MANY = 500;
/** Minutes by which a run may be late that does not catch up. */
const LATE = 15;

/** Touched minutes after which the time is looked at: those of the busiest server take half a minute. */
const A_BATCH = 32;
/** Parts are counted for so long, and then to the end of the batch that is under way. */
const PART_MS = 25_000;
/** Parts that one instance counts at once, each a batch: as many reads as its connections to the table carry. */
const PARTS_HERE = 2;

/** Of deployments whose marks are in one part. */
export interface PartOfMarks extends Reading, Writing {
  readonly seenAt: readonly Minute[];
  readonly part: number;
  /** How many of its touched minutes are counted already, in their order. */
  readonly from: number;
}

interface CountedMarks extends Counted {
  /** How many touched minutes of each part are counted; undefined where all are. */
  readonly begun?: readonly number[];
}

export interface TallyRun extends Counted {
  /** The last minute by the clock that is counted for good. */
  readonly done: Minute;
}

/**
 * One run, each minute: counts what was touched just now, for charts, and all that has been touched since the last
 * minute that was counted for good. A run that dies leaves that minute as it is, so that the next one repeats its work;
 * one that has no time for all of a minute notes what it has counted of it.
 *
 * @throws Error where it is late and does not catch up
 *
 * Source: docs/decisions/storage.md, "Calls are counted afterwards".
 */
export const tallyNow = async (ports: TallyPorts): Promise<TallyRun> => {
  const { callTally, clock } = ports;
  const begunAt = clock.elapsedMs();
  const now = minuteOf(clock.now());
  const stored = await callTally.tallied();
  let done = firstOf(stored?.done, now);
  // Or the first minutes of a stage whose runs fail would be left behind, and what is begun would be noted of another minute.
  if (done !== stored?.done) await callTally.raiseDone(done);
  // What is late comes first: charts of this minute would take its time.
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

/** Minute of the hour in which calls are counted again that could not be read. */
const AGAIN_AT = ':07';

/**
 * This may be the version that reads them. What still cannot be read goes into the queue again; where that comes again within the
 * run, and nothing else, it has had all.
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

/** Marks that are older have ended. */
const firstOf = (done: Minute | undefined, now: Minute): Minute => {
  const oldest = minutesAfter(now, (1 - MARK_DAYS) * AGAIN);
  if (done === undefined) return minutesAfter(now, -FIRST);
  return done > oldest ? done : oldest;
};

/**
 * @param from - how many touched minutes of each part are counted already; none if omitted. Marks of a minute that is
 *   counted for good are all there, so that they stay in their order.
 */
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

/** What a run has others count, each one part: one level deep. */
export const tallyPart = async (ports: TallyPorts, part: PartOfMarks): Promise<CountedPart> =>
  countPart(ports, part, {
    touched: await touchedIn(ports, part),
    untilMs: ports.clock.elapsedMs() + PART_MS,
  });

/** A batch at least, or a run would note nothing. */
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

/** Counts for good what was touched from one minute by the clock to another, as long as there is time. */
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
 * Counts for good all calls of a deployment from one minute to another, marked or not, as long as there is time: minute
 * after minute, since a busy server has more calls in an hour than one invocation counts.
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
