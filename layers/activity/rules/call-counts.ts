import { countedAs, isSent, isUnfinished } from '../../events/rules/call-outcome.ts';
import type { CallRecord } from '../../events/rules/call-record.ts';

/** Stored counts of a tool's calls; `trials`, made by the owner, are not among the others. */
export const COUNTED = [
  'ok',
  'targetErrors',
  'noAnswers',
  'refused',
  'trials',
  'latencySumMs',
  'latencyMaxMs',
] as const;

/** Latencies are of calls that were sent to the target, without trials. */
export type StoredCounts = Readonly<Record<(typeof COUNTED)[number], number>>;

export type CountsByTool = ReadonlyMap<string, StoredCounts>;

/** Increases when the rules of counting change: counts by newer rules replace those by older ones. */
export const COUNTING_RULES = 1;

export interface CallCount {
  /**
   * Number of log records (beginnings and ends of calls) that were counted. Records are only ever added, so the count
   * that has seen more is the newer one, and equal numbers mean equal counts.
   */
  readonly seen: number;
  readonly tools: CountsByTool;
}

export interface StoredCount extends CallCount {
  readonly rules: number;
}

export const isNewer = ({ seen }: CallCount, stored: StoredCount | undefined): boolean =>
  stored === undefined ||
  stored.rules < COUNTING_RULES ||
  (stored.rules === COUNTING_RULES && stored.seen < seen);

export interface CountedMinute extends CallCount {
  /** Items with unreadable calls, which are left out. */
  readonly unread: number;
}

export interface Counted {
  /** Each of one deployment and shard. */
  readonly minutes: number;
  /** Minutes with unreadable calls. */
  readonly unread: number;
}

/** Everything was counted unless `next` is set: the position to continue at. */
export interface CountedPart extends Counted {
  readonly next?: number;
}

export type CountedCall = Pick<
  CallRecord,
  'at' | 'durationMs' | 'index' | 'outcome' | 'requestId' | 'tool' | 'trial' | 'withoutTool'
>;

/** Unique among the calls of a deployment. */
export const nameOfCall = ({
  at,
  requestId,
  index,
}: Pick<CallRecord, 'at' | 'index' | 'requestId'> | Readonly<Record<string, unknown>>): string =>
  `${at}#${requestId}#${index}`;

/** Counts each call once, however often its records come. Beginnings are only seen; calls count at their end. */
export const callCounter = () => {
  const seen = new Set<string>();
  const tools = new Map<string, Counts>();
  return {
    add: (call: CountedCall): void => {
      const name = nameOfCall(call);
      const isBegun = isUnfinished(call);
      const before = seen.size;
      seen.add(isBegun ? `${name}?` : name);
      if (isBegun || seen.size === before || countedAs(call) === 'no_call') return;
      const counts = tools.get(call.tool) ?? { ...NONE };
      tools.set(call.tool, counts);
      addTo(counts, call);
    },
    count: (): CallCount => ({ seen: seen.size, tools }),
  };
};

/** Mutable, since a busy minute has hundreds of thousands of calls. */
type Counts = { -readonly [Name in keyof StoredCounts]: number };

const ENDED = {
  ok: 'ok',
  target_error: 'targetErrors',
  no_answer: 'noAnswers',
  refused: 'refused',
} as const satisfies Record<Exclude<CallRecord['outcome'], 'unfinished'>, keyof StoredCounts>;

const addTo = (counts: Counts, call: CountedCall): void => {
  const { outcome, durationMs } = call;
  if (outcome === 'unfinished') return;
  if (countedAs(call) === 'trial') {
    counts.trials += 1;
    return;
  }
  counts[ENDED[outcome]] += 1;
  if (!isSent(outcome)) return;
  counts.latencySumMs += durationMs;
  counts.latencyMaxMs = Math.max(counts.latencyMaxMs, durationMs);
};

const NONE: StoredCounts = {
  ok: 0,
  targetErrors: 0,
  noAnswers: 0,
  refused: 0,
  trials: 0,
  latencySumMs: 0,
  latencyMaxMs: 0,
};

/** Adds counts of disjoint calls. */
export const joinedCounts = (counts: Iterable<CallCount>): CallCount => {
  let seen = 0;
  const tools = new Map<string, StoredCounts>();
  for (const one of counts) {
    seen += one.seen;
    for (const [tool, its] of one.tools) tools.set(tool, sumOf(tools.get(tool) ?? NONE, its));
  }
  return { seen, tools };
};

/** Counts as answers have them: `calls` is the sum of the four outcomes. */
export interface CallCounts {
  readonly calls: number;
  readonly ok: number;
  readonly targetErrors: number;
  readonly noAnswers: number;
  readonly refused: number;
  /** Among `calls`. */
  readonly errors: number;
  /** Not among `calls`. */
  readonly trials: number;
  /** Calls that were sent to the target, which the latencies are of. */
  readonly sent: number;
  readonly latencySumMs: number;
  readonly latencyMaxMs: number;
}

export interface ToolHour extends CallCounts {
  /** In UTC: `2026-11-20T11`. */
  readonly hour: string;
  readonly tool: string;
}

export interface ToolDay extends CallCounts {
  /** In UTC: `2026-11-20`. */
  readonly day: string;
  readonly tool: string;
  /** Only hours with calls, in order. */
  readonly hours: readonly ToolHour[];
}

/** @param counted - one item per hour */
export const daysOf = (
  counted: readonly { readonly hour: string; readonly tools: CountsByTool }[],
): readonly ToolDay[] => {
  const hours = counted.flatMap(({ hour, tools }) =>
    [...tools].map(([tool, counts]): ToolHour => ({ hour, tool, ...callCountsOf(counts) })),
  );
  return [...Map.groupBy(hours, ({ hour, tool }) => `${dayIn(hour)}#${tool}`).values()].map(
    (unordered) => {
      const its = unordered.toSorted((one, other) => (one.hour < other.hour ? -1 : 1));
      const { hour, ...sum } = its.reduce(sumOf);
      return { ...sum, day: dayIn(hour), hours: its };
    },
  );
};

const dayIn = (hour: string): string => hour.slice(0, 10);

const callCountsOf = (counts: StoredCounts): CallCounts => {
  const { ok, targetErrors, noAnswers, refused } = counts;
  const errors = targetErrors + noAnswers + refused;
  return { ...counts, calls: ok + errors, errors, sent: ok + targetErrors + noAnswers };
};

/** Adds all numbers, except for the longest latency; other members are those of the first. */
export const sumOf = <Counts extends CallCounts | StoredCounts>(
  one: Counts,
  other: Counts,
): Counts =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]: [string, unknown]) => {
      const more: unknown = Reflect.get(other, name);
      if (typeof value !== 'number' || typeof more !== 'number') return [name, value];
      return [name, name === 'latencyMaxMs' ? Math.max(value, more) : value + more];
    }),
  ) as Counts;
