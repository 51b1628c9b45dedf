import { dynamoCallStore } from '../../../layers/activity/store/call-store.ts';
import { type CallTally, dynamoCallTally } from '../../../layers/activity/store/call-tally.ts';
import {
  type CallCount,
  callCounter,
  type CountsByTool,
} from '../../../layers/activity/rules/call-counts.ts';
import { hourOf, minuteOf } from '../../../layers/activity/rules/minutes.ts';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { randomOf } from '../random.ts';
import { tallyPortsOn } from './counted-calls.ts';
import { type Behaviour, memoryTable } from './memory-table.ts';

/** 2026-11-28T11:58:30Z: an hour ends soon. */
const BEGIN = 1_795_867_110;

export interface Replay {
  readonly seed: number;
  /** Calls a second, of all servers together. */
  readonly rate: number;
  readonly seconds: number;
  readonly servers?: number;
  /** Calls of one event of the log. */
  readonly perEvent?: number;
  /** No run for so long, in seconds from the beginning. */
  readonly outage?: readonly [from: number, to: number];
  /** Nothing comes twice, late or in another order, and nothing dies. */
  readonly isCalm?: boolean;
  /** What is planted. */
  readonly plant?: Plant;
}

/** A fault that has to be found. */
export interface Plant {
  readonly ofActivity?: Behaviour;
  /** What comes of the calls of an event. @param delivery - differs each time that it comes */
  readonly ofEvent?: (calls: readonly CallRecord[], delivery: number) => readonly CallRecord[];
  readonly ofTally?: (tally: CallTally) => CallTally;
  /** Seconds by which the clock of all runs is ahead. */
  readonly aheadSeconds?: number;
}

class Killed extends Error {
  override readonly name = 'Killed';
}

interface LogEvent {
  readonly source: string;
  readonly calls: readonly CallRecord[];
  /** When it comes. */
  readonly at: number;
}

/** Seconds by which an event of the log is late at most. */
const LATE = 600;
const STREAMS_A_CALL = 0.314;

/**
 * Plays calls through the stores of `activity` and `tally` in made-up time: events of the log that come twice, cut
 * otherwise, late and without ends; invocations that die at any call and come again; clocks that differ by a minute and a
 * half; runs that die, overlap, stand still for minutes and read what is stale, or are not there for a while.
 *
 * @returns the tools of hours whose counts are wrong at the end
 */
export const replayed = async (replay: Replay): Promise<readonly string[]> => {
  const { seconds, isCalm = false, outage = [0, 0], plant = {} } = replay;
  const { below } = randomOf(replay.seed);
  const random = () => below(2 ** 32) / 2 ** 32;
  const chance = (share: number): boolean => !isCalm && random() < share;
  const table = memoryTable();
  const { events, truth } = eventsOf(replay, random);
  let now = BEGIN;

  let deliveries = 0;
  const stalled: (() => void)[] = [];
  /** Dies at a random call to the table, if at all. */
  const mortal = (share: number) => {
    let left = chance(share) ? Math.floor(random() * 200) : Infinity;
    return () => {
      if (left-- <= 0) throw new Killed('killed here');
    };
  };
  const fleet = Array.from({ length: 4 }, () => {
    const skew = isCalm ? 0 : Math.floor((random() - 0.5) * 180);
    let live = mortal(0);
    const client = table.client({
      ...plant.ofActivity,
      before: async () => {
        await undefined;
        if (chance(0.02)) throw new Killed('killed here');
        live();
      },
    });
    const clock = { now: () => now + skew, elapsedMs: () => 0 };
    const store = dynamoCallStore({ clock, pause: async () => undefined }, client, 'calls', 90);
    return {
      store: ({ calls, source }: LogEvent) => {
        live = mortal(0.02);
        deliveries += 1;
        return store.store(plant.ofEvent?.(calls, deliveries) ?? calls, source);
      },
    };
  });
  const run = (): Promise<unknown> => {
    const live = mortal(0.1);
    let toStall = chance(0.2) ? Math.floor(random() * 300) : -1;
    const client = table.client({
      before: async () => {
        await undefined;
        live();
        if (toStall-- === 0) await new Promise<void>((goOn) => void stalled.push(goOn));
      },
      isStale: () => chance(0.05),
    });
    const tally = dynamoCallTally(client, 'calls', 90);
    const begun = now + (plant.aheadSeconds ?? 0);
    const clock = { now: () => begun, elapsedMs: () => 0 };
    return tallyPortsOn(plant.ofTally?.(tally) ?? tally, clock).run();
  };

  const flying = new Set<Promise<unknown>>();
  const follow = (work: Promise<unknown>, otherwise: () => void) => {
    const followed = work.catch(otherwise).finally(() => flying.delete(followed));
    flying.add(followed);
  };
  const end = BEGIN + seconds + LATE + outage[1] + 1200;
  for (let next = 0; now <= end; now += 1) {
    for (; (events[next]?.at ?? Infinity) <= now; next += 1) {
      const event = events[next]!;
      const again = () => {
        const at = now + 1 + Math.floor(random() * 60);
        const place = events.findIndex((one, index) => index > next && one.at > at);
        events.splice(place === -1 ? events.length : place, 0, { ...event, at });
      };
      follow(fleet[Math.floor(random() * fleet.length)]!.store(event), again);
    }
    const isOut = now - BEGIN >= outage[0] && now - BEGIN < outage[1];
    if (now % 60 === 17 && !isOut) {
      follow(run(), ignored);
      if (chance(0.3)) follow(run(), ignored);
    }
    if (!chance(0.5)) await turn();
    if (now % 397 === 0) for (const goOn of stalled.splice(0)) goOn();
  }
  while (flying.size > 0) {
    for (const goOn of stalled.splice(0)) goOn();
    await turn();
  }
  return wrongHours(dynamoCallTally(table.client(), 'calls', 90), truth);
};

const ignored = () => undefined;
const turn = () => new Promise<void>((goOn) => void setImmediate(goOn));

type Truth = ReadonlyMap<
  string,
  { readonly id: string; readonly hour: string; count(): CallCount }
>;

const wrongHours = async (tally: CallTally, truth: Truth): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const { id, hour, count } of truth.values()) {
    const { tools }: { tools: CountsByTool } = (await tally.hour(id, hour)) ?? { tools: new Map() };
    for (const [tool, expected] of count().tools) {
      const counted = tools.get(tool);
      if (JSON.stringify(counted) !== JSON.stringify(expected)) wrong.push(`${id} ${hour} ${tool}`);
    }
  }
  return wrong;
};

/** What the log brings, in the order of time, and what is to come of it. */
const eventsOf = (
  { rate, seconds, servers = 1, perEvent = 3, isCalm = false }: Replay,
  random: () => number,
): { events: LogEvent[]; truth: Truth } => {
  const chance = (share: number): boolean => !isCalm && random() < share;
  const late = (most: number) => Math.floor(random() * most);
  const ids = Array.from({ length: servers }, (_, at) => `dep-${at}`);
  const streams = Math.max(1, Math.ceil(rate * STREAMS_A_CALL));
  const truth = new Map<string, { id: string; hour: string } & ReturnType<typeof callCounter>>();
  const events: LogEvent[] = [];
  const open = new Map<string, CallRecord[]>();
  const before = new Map<string, readonly CallRecord[]>();
  for (let n = 0; n < rate * seconds; n += 1) {
    const at = BEGIN + Math.floor(n / rate);
    const source = `stream-${late(streams)}`;
    const call = aCall(
      { at, requestId: `request-${n}`, deploymentId: ids[late(servers)] ?? '' },
      random,
    );
    const hour = hourOf(minuteOf(at));
    const key = `${call.deploymentId} ${hour}`;
    const of = truth.get(key) ?? { id: call.deploymentId, hour, ...callCounter() };
    truth.set(key, of);
    of.add(call);
    const batch = [...(open.get(source) ?? []), call];
    open.set(source, batch);
    if (chance(0.03)) {
      const begun: CallRecord = { ...call, outcome: 'unfinished', durationMs: 0 };
      events.push({ source, calls: [begun], at: at + (chance(0.2) ? late(LATE) : 1) });
    }
    if (batch.length < perEvent && at - (batch[0]?.at ?? at) < 5) continue;
    open.delete(source);
    events.push({ source, calls: batch, at: at + (chance(0.03) ? late(LATE) : 1 + late(4)) });
    if (chance(0.02)) events.push({ source, calls: batch, at: at + late(LATE / 2) });
    const former = before.get(source);
    if (former && chance(0.02)) {
      const cut = [...former.slice(-1), ...batch.slice(0, 2)];
      events.push({ source, calls: cut, at: at + late(LATE / 2) });
    }
    before.set(source, batch);
  }
  for (const [source, calls] of open) events.push({ source, calls, at: BEGIN + seconds + 2 });
  return { events: events.sort((one, other) => one.at - other.at), truth };
};

/** @param random - decides how it ends; ids are as long as they are in production */
export const aCall = (
  over: Partial<CallRecord> & Pick<CallRecord, 'at' | 'requestId' | 'deploymentId'>,
  random: () => number,
): CallRecord => {
  const share = random();
  const ends = ['ok', 'target_error', 'no_answer', 'refused'] as const;
  const outcome = ends[[0.9, 0.95, 0.97, 1].findIndex((most) => share < most)] ?? 'ok';
  return {
    index: 0,
    version: 3,
    tool: `tool${Math.floor(random() * 10)}`,
    outcome,
    status: 200,
    ...(random() < 0.02 && { trial: true as const }),
    durationMs: 200 + Math.floor(random() * 200),
    subject: 'user-1',
    ip: '203.0.113.7',
    ...over,
  };
};
