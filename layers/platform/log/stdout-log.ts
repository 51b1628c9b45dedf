import type { Clock, InvocationTime } from '../system/clock.ts';
import type { LineMetrics } from './embedded-metrics.ts';
import { errorDetail } from '../rules/error-detail.ts';
import { isBelow, type LogLevel } from '../rules/log-level.ts';
import type { Log } from '../rules/log.ts';
import { SECRET_TEXTS } from '../rules/secret-texts.ts';

/** Escaped as well, since a terminal or a log viewer may obey them: U+007F to U+009F, line separators, bidirectional marks. */
const UNSAFE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Writes one line of JSON per record, its time first, in a single write. Of a record below the level stays what is
 * counted, so that metrics and alarms are the same at every level; one that counts nothing makes no line.
 *
 * Secrets are not given to a log in the first place; what is named like one is masked all the same.
 * It never throws: what cannot be described is reported as such.
 *
 * @param out - where lines go, standard output as a rule
 * @param metrics - makes metrics of lines; none if omitted
 * @param level - everything if omitted. Source: docs/operations.md, "The level of the log"
 */
export const stdoutLog = (
  clock: Clock,
  out: { write(line: string): unknown } = process.stdout,
  metrics?: LineMetrics,
  level: LogLevel = 'info',
): Log => ({
  write: (record) => {
    const timeMs = clock.now() * 1000;
    try {
      const line = described(timeMs, record, metrics, level);
      if (line !== undefined) out.write(line);
    } catch {
      // Nobody is left to tell it to; the request that is being logged goes on.
    }
  },
});

const described = (
  timeMs: number,
  record: Readonly<Record<string, unknown>>,
  metrics: LineMetrics | undefined,
  level: LogLevel,
): string | undefined => {
  const time = new Date(timeMs).toISOString();
  try {
    // Numbers and names from closed lists: nothing of them is a secret, though a name may look like one.
    const counted = metrics?.(record, timeMs);
    const isLeftOut = isBelow(level, record);
    if (isLeftOut && counted === undefined) return undefined;
    return logLine({ time, ...safeRecord(isLeftOut ? countedOf(record) : record), ...counted });
  } catch {
    return logLine({ time, level: 'error', message: 'a log record could not be written' });
  }
};

/** What filters of CloudWatch count a line by, where it has no metrics of its own. Source: `lib/monitoring/log-metrics.ts`. */
const countedOf = ({ level, message, protocol }: Readonly<Record<string, unknown>>) => ({
  message,
  level,
  protocol,
});

/** One line of JSON that a terminal shows as it is. */
export const logLine = (record: object): string =>
  `${JSON.stringify(record).replace(UNSAFE, (character) => `\\u${hex(character)}`)}\n`;

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');

const MAX_TEXT = 2000;
const MAX_ENTRIES = 60;
const MAX_DEPTH = 6;

const SECRET_NAME = /authorization|token|password|passwd|secret|cookie|api[-_]?key|credential/i;

/**
 * A plain copy of a record that is fit for a log: bounded in depth, breadth and length, errors with
 * their causes, and with `[redacted]` in place of whatever is named, or looks, like a secret.
 */
export const safeRecord = (record: object): Record<string, unknown> => safeObject(record, 0);

const safeValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return safeText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return safeError(value, depth);
  if (value instanceof Date) return value.toJSON();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return safeList(value, depth);
  return safeObject(value, depth);
};

const safeText = (text: string): string => {
  // Masked before it is cut, or half a secret would be left that looks like none.
  const masked = SECRET_TEXTS.reduce(
    (known, secret) => known.replace(secret, '[redacted]'),
    text.slice(0, 2 * MAX_TEXT),
  );
  return text.length > MAX_TEXT ? `${masked.slice(0, MAX_TEXT)}… (${text.length})` : masked;
};

/** Own properties are left out: SDK errors carry requests and stored items in them. */
const safeError = ({ name, message, stack, cause }: Error, depth: number) => ({
  name: safeText(String(name)),
  message: safeText(String(message)),
  ...(stack !== undefined && { stack: safeText(stack) }),
  ...(cause !== undefined && { cause: safeValue(cause, depth + 1) }),
});

const safeList = (list: readonly unknown[], depth: number): unknown[] => {
  const kept = list.slice(0, MAX_ENTRIES).map((entry) => safeValue(entry, depth + 1));
  return list.length > MAX_ENTRIES ? [...kept, `… (${list.length})`] : kept;
};

const safeObject = (object: object, depth: number): Record<string, unknown> => {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (kept.length === MAX_ENTRIES) {
      kept.push(['…', 'more']);
      break;
    }
    kept.push([
      safeText(name),
      SECRET_NAME.test(name) ? '[redacted]' : safeValue(value, depth + 1),
    ]);
  }
  return Object.fromEntries(kept);
};

/**
 * Has an invocation that ends in an error leave a line of ours. The runtime writes one as well, but as text: who
 * looks for names of errors there also finds those that a stranger has put into a message.
 */
export const reportFailures = (time: InvocationTime, log: Log): InvocationTime => ({
  ...time,
  within: (context, work) =>
    time.within(context, () =>
      work().catch((error: unknown) => {
        const { outcome, detail } = errorDetail(error);
        log.write({ message: 'invocation_failed', level: 'error', outcome, ...detail });
        throw error;
      }),
    ),
});
