import type { ItemOf } from '../../../api/operation.ts';

export type ToolDay = Extract<
  ItemOf<'GET /deployments/{slug}/activity'>,
  { type: 'tool_invocations' }
>;
export type ListedCall = ItemOf<'GET /deployments/{slug}/calls'>;

export type Unit = 'hour' | 'day';

export interface Slot {
  /** When it begins, in seconds. */
  readonly from: number;
  readonly calls: number;
  readonly errors: number;
  /** How many of the calls were the owner's trials. */
  readonly trials: number;
  /** Calls with a measured duration. */
  readonly timed: number;
  readonly totalMs: number;
  readonly longestMs: number;
}

export type Total = Numbers & { readonly name: string };

const SECONDS: Readonly<Record<Unit, number>> = { hour: 3600, day: 86_400 };

/** Days and hours are counted in UTC, as the service counts them. */
const beginning = (seconds: number, unit: Unit): number => seconds - (seconds % SECONDS[unit]);

type Numbers = Omit<Slot, 'from'>;
const NOTHING: Numbers = { calls: 0, errors: 0, trials: 0, timed: 0, totalMs: 0, longestMs: 0 };

const sum = (one: Numbers, other: Numbers): Numbers => ({
  calls: one.calls + other.calls,
  errors: one.errors + other.errors,
  trials: one.trials + other.trials,
  timed: one.timed + other.timed,
  totalMs: one.totalMs + other.totalMs,
  longestMs: Math.max(one.longestMs, other.longestMs),
});

type Counted = Pick<ToolDay, 'calls' | 'errors' | 'trials' | 'latency_ms'>;

export const numbersOf = ({ calls, errors, trials, latency_ms: latency }: Counted): Numbers => ({
  calls,
  errors,
  trials,
  timed: latency.count,
  totalMs: latency.sum,
  longestMs: latency.max,
});

const numbersOfCall = ({ outcome, trial, duration_ms: ms }: ListedCall): Numbers => ({
  calls: 1,
  errors: outcome === 'ok' ? 0 : 1,
  trials: trial ? 1 : 0,
  timed: 1,
  totalMs: ms,
  longestMs: ms,
});

/** Every hour or day of a period, also those without calls. */
const slots = (
  happened: readonly (readonly [seconds: number, numbers: Numbers])[],
  unit: Unit,
  since: number,
  until: number,
): readonly Slot[] => {
  const found = new Map<number, Numbers>();
  for (let from = beginning(since, unit); from <= until; from += SECONDS[unit]) {
    found.set(from, NOTHING);
  }
  for (const [seconds, numbers] of happened) {
    const from = beginning(seconds, unit);
    const known = found.get(from);
    if (known) found.set(from, sum(known, numbers));
  }
  return [...found].map(([from, numbers]) => ({ from, ...numbers }));
};

/**
 * The columns of the charts, from the API's counts.
 *
 * @param since - and `until`, in seconds
 */
export const slotsOfDays = (
  days: readonly ToolDay[],
  unit: Unit,
  since: number,
  until: number,
): readonly Slot[] => {
  const happened = days.flatMap((day) => {
    const midnight = Date.parse(`${day.day}T00:00:00Z`) / 1000;
    return unit === 'day'
      ? [[midnight, numbersOf(day)] as const]
      : day.hours.map((hour) => [midnight + hour.hour * 3600, numbersOf(hour)] as const);
  });
  return slots(happened, unit, since, until);
};

/** The columns of the charts, from single calls. */
export const slotsOfCalls = (
  calls: readonly ListedCall[],
  unit: Unit,
  since: number,
  until: number,
): readonly Slot[] =>
  slots(
    calls.map((call) => [Date.parse(call.at) / 1000, numbersOfCall(call)] as const),
    unit,
    since,
    until,
  );

export const totalsByTool = (days: readonly ToolDay[]): readonly Total[] => {
  const found = new Map<string, Numbers>();
  for (const day of days) found.set(day.tool, sum(found.get(day.tool) ?? NOTHING, numbersOf(day)));
  return [...found]
    .map(([name, numbers]): Total => ({ name, ...numbers }))
    .sort((one, other) => other.calls - one.calls || (one.name < other.name ? -1 : 1));
};

/** The caller's e-mail address, else their subject: a user id or network address. */
export const personOf = ({ email, subject }: Pick<ListedCall, 'email' | 'subject'>): string =>
  email ?? subject;

/** @returns `undefined` without a measured duration */
export const meanMs = ({ timed, totalMs }: Pick<Numbers, 'timed' | 'totalMs'>) =>
  timed === 0 ? undefined : totalMs / timed;

export const sumOf = (all: readonly Numbers[]): Numbers => all.reduce(sum, NOTHING);
