import { type CallRecord, isUnfinished, wireName } from '../rules/call-record.ts';
import { timeOf } from '../../platform/rules/time.ts';
import { logLine } from '../../platform/log/stdout-log.ts';

/**
 * Writes a call as one line of JSON, which the function `activity` receives: whole and unmasked, since all
 * its fields are names that the service knows, and none is a secret.
 *
 * @param out - standard output as a rule, which takes a line before `write` returns
 */
export const stdoutCallLog = (out: { write(line: string): unknown } = process.stdout) => ({
  write: ({ at, durationMs, ...known }: CallRecord): void => {
    // Each byte of a line is paid for: what has not ended has taken no time yet.
    const call = isUnfinished(known) ? known : { ...known, durationMs };
    const fields = Object.entries(call).map(([name, value]) => [wireName(name), value]);
    out.write(logLine({ time: timeOf(at), message: 'tool_call', ...Object.fromEntries(fields) }));
  },
});

/** The router's record of calls. What it is given is out of the instance's hands when it returns. */
export type CallLog = ReturnType<typeof stdoutCallLog>;
