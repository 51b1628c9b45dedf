/**
 * What the record of calls costs: units of DynamoDB a call, written and read, and processor time, at several rates. The
 * stores of `activity` and `tally` run in made-up time on a table in memory that counts units by bytes.
 *
 * Each hour has its earlier minutes already, since their number is what the sum of an hour reads. Left out are the marks
 * that each run looks for whether or not there are any (`docs/costs.md` has them), and the count a day later.
 *
 * Goals, in units written and read: one server 0.5 and 0.5 where calls come by threes, 1.2 and 0.6 one by one; ten servers
 * 1.3 and 0.8; a thousand 2.2 and 2.2. Processor time: 3 ms for an event of `activity`, 0.1 ms a call of `tally` where one
 * server has thousands; where many servers have few each, most of it reads the minutes of their hours.
 */
import { dynamoCallStore } from '../layers/activity/store/call-store.ts';
import { type CallTally, dynamoCallTally } from '../layers/activity/store/call-tally.ts';
import { minuteOf, minutesAfter } from '../layers/activity/rules/minutes.ts';
import { shardOf, type TouchedMinute } from '../layers/activity/rules/touched.ts';
import type { CallRecord } from '../layers/events/rules/call-record.ts';
import { memoryTable } from '../test/support/aws/memory-table.ts';
import { tallyPortsOn } from '../test/support/aws/counted-calls.ts';
import { aCall } from '../test/support/aws/replayed-calls.ts';
import { type Random, randomOf } from '../test/support/random.ts';
import { digestOf, uuidOf } from './ids.ts';
import { ms, printTable, type Row } from './table.ts';

/**
 * By threes, to one server, from minute 28 of an hour on, unless it says otherwise. Of so many servers as `sample` says
 * one is played, with all instances and log streams.
 */
interface Case {
  readonly title: string;
  readonly rate: number;
  readonly seconds: number;
  readonly perEvent?: number;
  readonly servers?: number;
  readonly minute?: number;
  readonly sample?: number;
}

/** What the record of calls takes of the table, a call. */
export interface CallUnits {
  readonly title: string;
  readonly perEvent: number;
  readonly written: number;
  readonly read: number;
}

const MANY = { rate: 1000, seconds: 60, perEvent: 1, servers: 1000, sample: 10 };
const CASES: readonly Case[] = [
  { title: 'one server, 1 call a second, by threes', rate: 1, seconds: 300 },
  { title: 'one server, 100 a second, by threes', rate: 100, seconds: 120 },
  { title: 'one server, 1,000 a second, by threes', rate: 1000, seconds: 60 },
  { title: 'one server, 10,000 a second, by threes', rate: 10_000, seconds: 10 },
  { title: 'one server, 1 a second, one by one', rate: 1, seconds: 300, perEvent: 1 },
  { title: 'one server, 100 a second, one by one', rate: 100, seconds: 120, perEvent: 1 },
  { title: '10 servers, 30 a second together, by threes', rate: 30, seconds: 180, servers: 10 },
  { title: '1,000 servers of 1 a second, one by one', ...MANY },
  { title: 'the same, at the end of an hour', ...MANY, minute: 56 },
];

/** 2026-11-28T11:00:00Z. */
const HOUR = 1_795_863_600;
const INSTANCES_AN_EVENT = 0.01;
const STREAMS_A_CALL = 0.314;
/** Runs after the last call: all is counted for good then. */
const RUNS_AFTER = 8;
/** Units that a run reads of marks that are not there: two minutes at half the price, two for good, and how far it is. */
const IDLE_UNITS = 16 * (2 * 0.5 + 2) + 1;

/** Units of DynamoDB a call, and how many calls come at once, of each case. */
export const unitsOfCases = async (): Promise<readonly CallUnits[]> => {
  const units: CallUnits[] = [];
  for (const one of CASES) units.push((await played(one)).units);
  return units;
};

export const bench = async (): Promise<void> => {
  const rows: Row[] = [];
  for (const one of CASES) rows.push((await played(one)).row);
  const columns = ['written', 'read', 'an event', 'a call, counted', 'busiest key, units/s'];
  printTable('The record of calls, units a call', columns, rows);
};

const played = async (one: Case): Promise<{ readonly units: CallUnits; readonly row: Row }> => {
  const { title, seconds, perEvent = 3, minute = 28, sample = 1 } = one;
  const rate = one.rate / sample;
  const random = randomOf(7);
  const table = memoryTable();
  const begin = HOUR + 60 * minute;
  let now = begin;
  const clock = { now: () => now, elapsedMs: () => 0 };
  const ids = named((one.servers ?? 1) / sample, (at) => uuidOf(`server ${at}`));
  const sources = named(Math.ceil(one.rate * STREAMS_A_CALL), (at) => `stream-${at}`);
  const callTally = dynamoCallTally(table.client(), 'calls', 90);
  const shards = [...new Set(sources.map(shardOf))];
  const earlier = named(minute, (at) => minuteOf(begin - 60 * (at + 1)));
  const touched = ids.flatMap((deploymentId) =>
    earlier.flatMap((one) => shards.map((shard) => ({ deploymentId, shard, minute: one }))),
  );
  await fill(callTally, touched, (60 * rate) / ids.length / shards.length);

  const fleet = named(Math.ceil((one.rate / perEvent) * INSTANCES_AN_EVENT), () =>
    dynamoCallStore({ clock, pause: async () => undefined }, table.client(), 'calls', 90),
  );
  const tally = tallyPortsOn(callTally, clock);
  await callTally.raiseDone(minutesAfter(minuteOf(now), -6));
  table.resetUnits();

  let [storeMs, tallyMs, events, runs, total] = [0, 0, 0, 0, 0];
  const open = new Map<string, CallRecord[]>();
  for (; now < begin + seconds + 60 * RUNS_AFTER; now += 1) {
    for (let call = 0; now < begin + seconds && call < rate; call += 1) {
      const source = random.pick(sources);
      const calls = open.get(source) ?? [];
      open.set(source, calls);
      calls.push(aLongCall((total += 1), now, random.pick(ids), random));
    }
    for (const [source, calls] of open) {
      if (calls.length < perEvent && now - (calls[0]?.at ?? now) < 5) continue;
      open.delete(source);
      for (let at = 0; at < calls.length; at += perEvent) {
        const start = performance.now();
        await random.pick(fleet).store(calls.slice(at, at + perEvent), source);
        storeMs += performance.now() - start;
        events += 1;
      }
    }
    if (now % 60 !== 17) continue;
    const start = performance.now();
    await tally.run();
    tallyMs += performance.now() - start;
    runs += 1;
  }
  const { read, written } = table.units();
  const units = {
    title,
    perEvent,
    written: Number(((written - runs) / total).toFixed(2)),
    read: Number(((read - runs * IDLE_UNITS) / total).toFixed(2)),
  };
  const { written: w, read: r } = units;
  const times = [ms(storeMs / events), ms(tallyMs / total)];
  return {
    units,
    row: [title, w, r, ...times, Math.round(table.busiest() / Math.min(60, seconds))],
  };
};

const named = <One>(length: number, of: (at: number) => One): readonly One[] =>
  Array.from({ length }, (_, at) => of(at));

/** Minutes as large as they would be of so many calls, as if they had seen nothing. */
const fill = async (
  callTally: CallTally,
  touched: readonly TouchedMinute[],
  calls: number,
): Promise<void> => {
  const counts = { targetErrors: 9, noAnswers: 3, refused: 7, trials: 0 };
  const latency = { latencySumMs: 31_243, latencyMaxMs: 399 };
  const names = named(Math.min(10, Math.ceil(calls)), (at) => `tool${at}`);
  const tools = new Map(names.map((name, at) => [name, { ...counts, ...latency, ok: 100 + at }]));
  for (const one of touched) await callTally.putMinute(one, { seen: 0, tools }, { isAnew: true });
};

/** With ids that nothing packs. */
const aLongCall = (n: number, at: number, deploymentId: string, random: Random): CallRecord => {
  const who = {
    subject: uuidOf(`person ${n % 20_000}`),
    clientId: `mcp_${uuidOf(`client ${n % 20_000}`)}`,
    grantId: uuidOf(`grant ${n % 20_000}`),
    ip: `203.0.113.${n % 255}`,
  };
  const requestId = `${digestOf(`request ${n}`, 'base64url').slice(0, 15)}=`;
  const call = { at, requestId, deploymentId, answerTokens: random.below(3000), ...who };
  return aCall(call, () => random.below(1000) / 1000);
};
