import { countedAs, isSent, isUnfinished } from '../../events/rules/call-outcome.ts';
import type { CallRecord } from '../../events/rules/call-record.ts';

/** What is stored of the calls of one tool: of those who call, and how many trials its owner made beside. */
export const COUNTED = [
  'ok',
  'targetErrors',
  'noAnswers',
  'refused',
  'trials',
  'latencySumMs',
  'latencyMaxMs',
] as const;

/** The latencies are over the calls that were sent to the target, without trials. */
export type StoredCounts = Readonly<Record<(typeof COUNTED)[number], number>>;

export type CountsByTool = ReadonlyMap<string, StoredCounts>;

/**
 * Rises whenever the same calls are counted otherwise: what is counted by newer rules takes the place of what was
 * counted by older ones.
 */
export const COUNTING_RULES = 1;

/** The calls of some time, by tool. */
export interface CallCount {
  /**
   * How many ends and beginnings of calls were seen, each by its name. Calls are only ever added, so that of two counts
   * of the same time the one that has seen more is the newer one, and those that have seen as many are the same.
   */
  readonly seen: number;
  readonly tools: CountsByTool;
}

/** A count as it is stored, with the rules that it was counted by. */
export interface StoredCount extends CallCount {
  readonly rules: number;
}

/** Whether a count is to take the place of one that is stored. */
export const isNewer = ({ seen }: CallCount, stored: StoredCount | undefined): boolean =>
  stored === undefined ||
  stored.rules < COUNTING_RULES ||
  (stored.rules === COUNTING_RULES && stored.seen < seen);

export interface CountedMinute extends CallCount {
  /** How many items have calls that cannot be read: they are left out. */
  readonly unread: number;
}

export interface Counted {
  /** Minutes of deployments, of one shard each. */
  readonly minutes: number;
  /** Those of them with calls that cannot be read. */
  readonly unread: number;
}

/** Of a part; all of it is counted unless there is a `next`, from which on to go on. */
export interface CountedPart extends Counted {
  readonly next?: number;
}

export type CountedCall = Pick<
  CallRecord,
  'at' | 'durationMs' | 'index' | 'outcome' | 'requestId' | 'tool' | 'trial' | 'withoutTool'
>;

/** A call among those of its deployment. */
export const nameOfCall = ({
  at,
  requestId,
  index,
}: Pick<CallRecord, 'at' | 'index' | 'requestId'> | Readonly<Record<string, unknown>>): string =>
  `${at}#${requestId}#${index}`;

/** Counts each call once, however often it comes; beginnings are seen, and counted when their end comes. */
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

/** Counts that are still added to: there are hundreds of thousands of calls in a busy minute. */
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

/** What was counted apart, of different calls. */
export const joinedCounts = (counts: Iterable<CallCount>): CallCount => {
  let seen = 0;
  const tools = new Map<string, StoredCounts>();
  for (const one of counts) {
    seen += one.seen;
    for (const [tool, its] of one.tools) tools.set(tool, sumOf(tools.get(tool) ?? NONE, its));
  }
  return { seen, tools };
};

/** Calls of those who call, as everybody is told of them: `calls` is the sum of how they ended. */
export interface CallCounts {
  readonly calls: number;
  readonly ok: number;
  readonly targetErrors: number;
  readonly noAnswers: number;
  readonly refused: number;
  /** Of the calls. */
  readonly errors: number;
  /** Of the owner, beside the calls. */
  readonly trials: number;
  /** How many of the calls were sent, over which the latencies are. */
  readonly sent: number;
  readonly latencySumMs: number;
  readonly latencyMaxMs: number;
}

/** The calls of one tool in one hour, in UTC. */
export interface ToolHour extends CallCounts {
  /** `2026-11-20T11`. */
  readonly hour: string;
  readonly tool: string;
}

/** The calls of one tool on one day, in UTC. */
export interface ToolDay extends CallCounts {
  /** `2026-11-20`. */
  readonly day: string;
  readonly tool: string;
  /** Those hours that have calls, in order. */
  readonly hours: readonly ToolHour[];
}

/** @param counted - of an hour each */
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

/** All numbers are sums but the longest latency; what is no number is that of the first. */
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
