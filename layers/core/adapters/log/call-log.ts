import { type CallRecord, timeOf, wireName } from '../../domain/activity/index.ts';
import type { CallLog } from '../../ports.ts';
import { logLine } from './stdout-log.ts';

/**
 * Writes a call as one line of JSON, which the function `activity` receives: whole and unmasked, since all
 * its fields are names that the service knows, and none is a secret.
 *
 * @param out - standard output as a rule, which takes a line before `write` returns
 */
export const stdoutCallLog = (out: { write(line: string): unknown } = process.stdout): CallLog => ({
  write: ({ at, ...call }: CallRecord) => {
    const fields = Object.entries(call).map(([name, value]) => [wireName(name), value]);
    out.write(
      logLine({ time: timeOf(at), message: 'tool_call', ...Object.fromEntries(fields), at }),
    );
  },
});
