import type { Clock, InvocationTime } from '../system/clock.ts';
import type { LineMetrics } from './embedded-metrics.ts';
import { errorDetail } from '../rules/error-detail.ts';
import { isBelow, type LogLevel } from '../rules/log-level.ts';
import type { Log } from '../rules/log.ts';
import { SECRET_TEXTS } from '../rules/secret-texts.ts';

/** Characters that terminals or log viewers may interpret: U+007F to U+009F, line separators, bidirectional marks. */
const UNSAFE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Writes each record as one line of JSON, with its time first, in a single write. Of records below the level only what
 * metric filters count is written, so that metrics and alarms are the same at every level; others are dropped.
 *
 * Callers must not log secrets; members with names of secrets are masked in addition. Never throws: a record that
 * cannot be described is reported as such.
 *
 * @param out - standard output by default
 * @param metrics - turns lines into metrics; none if omitted
 * @param level - all levels if omitted. Source: docs/operations.md, "The level of the log"
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
      // A failure to log must not fail the request.
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
    // Metrics come from closed lists of names and numbers, so they bypass the masking of names like secrets.
    const counted = metrics?.(record, timeMs);
    const isLeftOut = isBelow(level, record);
    if (isLeftOut && counted === undefined) return undefined;
    return logLine({ time, ...safeRecord(isLeftOut ? countedOf(record) : record), ...counted });
  } catch {
    return logLine({ time, level: 'error', message: 'a log record could not be written' });
  }
};

/** Members that CloudWatch's metric filters read. Source: `lib/monitoring/log-metrics.ts`. */
const countedOf = ({ level, message, protocol }: Readonly<Record<string, unknown>>) => ({
  message,
  level,
  protocol,
});

/** One line of JSON without characters that terminals interpret. */
export const logLine = (record: object): string =>
  `${JSON.stringify(record).replace(UNSAFE, (character) => `\\u${hex(character)}`)}\n`;

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');

const MAX_TEXT = 2000;
const MAX_ENTRIES = 60;
const MAX_DEPTH = 6;

const SECRET_NAME = /authorization|token|password|passwd|secret|cookie|api[-_]?key|credential/i;

/** Safe to log: limited in depth, breadth and length, and `[redacted]` for what is named, or looks, like a secret. */
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
  // Masked before it is cut: the first half of a secret would no longer be recognized as one.
  const masked = SECRET_TEXTS.reduce(
    (known, secret) => known.replace(secret, '[redacted]'),
    text.slice(0, 2 * MAX_TEXT),
  );
  return text.length > MAX_TEXT ? `${masked.slice(0, MAX_TEXT)}… (${text.length})` : masked;
};

/** Other members of errors are left out: SDK errors contain requests and stored items. */
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
 * Logs a line for each invocation that fails. Lambda's runtime writes one too, but as text: a filter for error names
 * would also match names that a stranger put into a message.
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
