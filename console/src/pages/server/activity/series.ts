import { countedAs, isSent } from '../../../../../layers/events/rules/call-outcome.ts';
import type { ItemOf } from '../../../api/operation.ts';

export type ToolDay = Extract<
  ItemOf<'GET /deployments/{slug}/activity'>,
  { type: 'tool_invocations' }
>;
export type ListedCall = ItemOf<'GET /deployments/{slug}/calls'>;

export type Unit = 'hour' | 'day';

/** A time in hours or days, with its bounds in epoch seconds. */
export interface Period {
  readonly unit: Unit;
  readonly since: number;
  readonly until: number;
}

export interface Slot {
  /** Epoch seconds. */
  readonly from: number;
  readonly calls: number;
  /** How many of `calls` failed. */
  readonly errors: number;
  /** Trials of the owner, which are not among `calls`. */
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

export const countedOf = ({ outcome, trial, without_tool: withoutTool }: ListedCall) =>
  countedAs({ outcome, trial, withoutTool });

const numbersOfCall = (call: ListedCall): Numbers => {
  const counted = countedOf(call);
  const isCall = counted === 'success' || counted === 'error';
  const isTimed = isCall && isSent(call.outcome);
  const ms = isTimed ? call.duration_ms : 0;
  return {
    calls: Number(isCall),
    errors: Number(counted === 'error'),
    trials: Number(counted === 'trial'),
    timed: Number(isTimed),
    totalMs: ms,
    longestMs: ms,
  };
};

/** Every hour or day of a period, also those without calls. */
const slots = (
  happened: readonly (readonly [seconds: number, numbers: Numbers])[],
  { unit, since, until }: Period,
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

export const slotsOfDays = (days: readonly ToolDay[], period: Period): readonly Slot[] => {
  const happened = days.flatMap((day) => {
    const midnight = Date.parse(`${day.day}T00:00:00Z`) / 1000;
    return period.unit === 'day'
      ? [[midnight, numbersOf(day)] as const]
      : day.hours.map((hour) => [midnight + hour.hour * 3600, numbersOf(hour)] as const);
  });
  return slots(happened, period);
};

export const slotsOfCalls = (calls: readonly ListedCall[], period: Period): readonly Slot[] =>
  slots(
    calls.map((call) => [Date.parse(call.at) / 1000, numbersOfCall(call)] as const),
    period,
  );

/** Totals of the charts' period, before which its first day may have begun. */
export const totalsByTool = (days: readonly ToolDay[], period: Period): readonly Total[] =>
  [...Map.groupBy(days, ({ tool }) => tool)]
    .map(([name, its]): Total => ({ name, ...sumOf(slotsOfDays(its, period)) }))
    .filter(({ calls, trials }) => calls + trials > 0)
    .sort((one, other) => other.calls - one.calls || (one.name < other.name ? -1 : 1));

/** The caller's e-mail address, else their subject: a user id or network address. */
export const personOf = ({ email, subject }: Pick<ListedCall, 'email' | 'subject'>): string =>
  email ?? subject;

/** The name that a client gave itself. A client without a name that has a random id is gone. */
export const clientOf = ({
  client_name: name,
  client_id: id,
}: Pick<ListedCall, 'client_id' | 'client_name'>): string | undefined =>
  name ?? (id?.startsWith('mcp_') ? 'a client that is gone' : id);

/** @returns undefined if no duration was measured */
export const meanMs = ({ timed, totalMs }: Pick<Numbers, 'timed' | 'totalMs'>) =>
  timed === 0 ? undefined : totalMs / timed;

export const sumOf = (all: readonly Numbers[]): Numbers => all.reduce(sum, NOTHING);

/** Share of the calls that failed, such as `12.5 %`. */
export const shareOf = ({ calls, errors }: Pick<Numbers, 'calls' | 'errors'>): string =>
  `${calls === 0 ? 0 : Number(((errors / calls) * 100).toFixed(1))} %`;
