/**
 * Which limit of AWS is met first when calls come faster: one after the other in made-up time, each through
 * the stage's throttle, an execution of the router, and what it writes to DynamoDB. What a call takes and
 * writes is counted on the embedded endpoints, the throttle is that of the local gateway, and the limits are
 * those of AWS, without the bursts that DynamoDB lends.
 *
 * No goal: docs/operations.md, "Growth", says what to do before each.
 */
import { readFileSync } from 'node:fs';
import { SHARDS } from '../layers/activity/rules/touched.ts';
import { functions } from '../lambdas/manifest.ts';
import { tokenBucket } from '../local/gateway/throttle.ts';
import { randomOf } from '../test/support/random.ts';
import { CALLS_PER_EVENT, measureCall } from './costs/measured.ts';
import { routerMs } from './costs/model.ts';
import { readRecording } from './costs/recording.ts';
import { printTable, type Row } from './table.ts';

/** Source: Amazon DynamoDB Developer Guide, "Best practices for designing and using partition keys effectively". */
const WRITES_OF_PARTITION = 1000;
/** Of a table on demand in its first minutes. Source: the same, "DynamoDB on-demand capacity mode". */
const WRITES_OF_NEW_TABLE = 4000;
const RATES = [250, 500, 1000, 1500, 2000, 4000] as const;
/** Counted from when bursts are used up, in milliseconds. */
const [FROM, UNTIL] = [10_000, 30_000];
interface Situation {
  readonly title: string;
  readonly requestsPerSecond: number;
  readonly targetMs: number;
  /** Each with a deployment of their own. */
  readonly callers: number;
}

/** The first is what a stage has that sets nothing; then its own throttle is out of the way. */
const SITUATIONS: readonly Situation[] = [
  {
    title: '10,000 callers and deployments, the throttle that a stage has by itself',
    requestsPerSecond: 1000,
    targetMs: 300,
    callers: 10_000,
  },
  {
    title: '10,000 callers and deployments, the throttle raised',
    requestsPerSecond: 10_000,
    targetMs: 300,
    callers: 10_000,
  },
  {
    title: 'the same, targets that take a second',
    requestsPerSecond: 10_000,
    targetMs: 1000,
    callers: 10_000,
  },
  {
    title: 'one caller of one deployment without a plan, the throttle raised',
    requestsPerSecond: 10_000,
    targetMs: 100,
    callers: 1,
  },
];

/** What a call takes, in milliseconds and in units of writing to the tables `limits` and `calls`, and what there is. */
interface Call {
  readonly ms: number;
  readonly counting: number;
  readonly keeping: number;
  /** Executions. */
  readonly mostAtOnce: number;
}

/** Executions of the router at once, as `config/prod.json` has it. */
const reserved = (): number => {
  const file = readFileSync(new URL('../config/prod.json', import.meta.url), 'utf8');
  return JSON.parse(file)['reserved_concurrency']['router'];
};

export const bench = async (): Promise<void> => {
  const measured = { ...readRecording(), call: await measureCall() };
  const { activityUnits } = measured.call;
  const columns = ['answered', 'throttle', 'executions', 'count', 'unstored', 'most at once'];
  for (const situation of SITUATIONS) {
    const { targetMs, title } = situation;
    const { memoryMb: routerMemoryMb } = functions.router;
    const call: Call = {
      ms: routerMs(measured, { targetMs, routerMemoryMb, metrics: true }),
      counting: measured.call.router['UpdateItem'] ?? 0,
      keeping: activityUnits.written / CALLS_PER_EVENT,
      mostAtOnce: reserved(),
    };
    const rows = RATES.map((rate): Row => [`${rate} a second`, ...rush(rate, call, situation)]);
    printTable(`Calls, ${title}`, columns, rows, [`a call takes ${call.ms} ms`]);
  }
};

/** What becomes of calls that come so often, in parts of all. */
const rush = (rate: number, call: Call, situation: Situation): readonly (string | number)[] => {
  const { requestsPerSecond, callers } = situation;
  const random = randomOf(rate);
  const letsIn = tokenBucket({ requestsPerSecond, burst: 2 * requestsPerSecond });
  const [limits, calls] = [writesOfTable(), writesOfTable()];
  /** When each execution ends, the first of those under way at `next`: all take the same. */
  const ends: number[] = [];
  let next = 0;
  const counts = { answered: 0, throttle: 0, executions: 0, count: 0, unstored: 0 };
  let [all, atOnce, at] = [0, 0, 0];

  const become = (): readonly (keyof typeof counts)[] => {
    if (!letsIn(at)) return ['throttle'];
    if (ends.length - next >= call.mostAtOnce) return ['executions'];
    ends.push(at + call.ms);
    const caller = random.below(callers);
    if (!limits(`${caller}`, call.counting, at)) return ['count'];
    const part = `${caller} ${random.below(SHARDS)}`;
    return calls(part, call.keeping, at) ? ['answered'] : ['answered', 'unstored'];
  };
  while (at < UNTIL) {
    // A Poisson process: callers know nothing of each other.
    at += (-Math.log(1 - random.below(2 ** 30) / 2 ** 30) * 1000) / rate;
    while ((ends[next] ?? Infinity) <= at) next += 1;
    const became = become();
    if (at < FROM) continue;
    all += 1;
    for (const one of became) counts[one] += 1;
    atOnce = Math.max(atOnce, ends.length - next);
  }
  return [...Object.values(counts).map((one) => `${((100 * one) / all).toFixed(1)} %`), atOnce];
};

/** @returns whether a write of so many units to an item fits into its second */
const writesOfTable = () => {
  const used = new Map<string, number>();
  let [second, together] = [0, 0];
  return (item: string, units: number, atMs: number): boolean => {
    if (Math.floor(atMs / 1000) !== second) {
      second = Math.floor(atMs / 1000);
      together = 0;
      used.clear();
    }
    const ofItem = (used.get(item) ?? 0) + units;
    if (ofItem > WRITES_OF_PARTITION || together + units > WRITES_OF_NEW_TABLE) return false;
    used.set(item, ofItem);
    together += units;
    return true;
  };
};
