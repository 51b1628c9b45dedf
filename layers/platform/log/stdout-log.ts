import type { Clock } from '../system/clock.ts';
import type { Log } from '../rules/log.ts';
import type { LineMetrics } from './embedded-metrics.ts';
import { safeRecord } from './safe-record.ts';

/** Escaped as well, since a terminal or a log viewer may obey them: U+007F to U+009F, line separators, bidirectional marks. */
const UNSAFE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Writes one line of JSON per record, its time first, in a single write.
 *
 * Secrets are not given to a log in the first place; what is named like one is masked all the same.
 * It never throws: what cannot be described is reported as such.
 *
 * @param out - where lines go, standard output as a rule
 * @param metrics - makes metrics of lines; none if omitted
 */
export const stdoutLog = (
  clock: Clock,
  out: { write(line: string): unknown } = process.stdout,
  metrics?: LineMetrics,
): Log => ({
  write: (record) => {
    const timeMs = clock.now() * 1000;
    try {
      out.write(described(timeMs, record, metrics));
    } catch {
      // Nobody is left to tell it to; the request that is being logged goes on.
    }
  },
});

const described = (
  timeMs: number,
  record: Readonly<Record<string, unknown>>,
  metrics: LineMetrics | undefined,
): string => {
  const time = new Date(timeMs).toISOString();
  try {
    // Numbers and names from closed lists: nothing of them is a secret, though a name may look like one.
    return logLine({ time, ...safeRecord(record), ...metrics?.(record, timeMs) });
  } catch {
    return logLine({ time, level: 'error', message: 'a log record could not be written' });
  }
};

/** One line of JSON that a terminal shows as it is. */
export const logLine = (record: object): string =>
  `${JSON.stringify(record).replace(UNSAFE, (character) => `\\u${hex(character)}`)}\n`;

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
