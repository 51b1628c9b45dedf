import { describe, expect, test } from '@jest/globals';
import { embeddedMetrics } from '../../../layers/platform/log/embedded-metrics.ts';
import { stdoutLog } from '../../../layers/platform/log/stdout-log.ts';
import {
  LOG_LEVELS,
  type LogLevel,
  readLogLevel,
} from '../../../layers/platform/rules/log-level.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { embeddedIn } from '../../support/aws/cloudwatch.ts';

const clock = { now: () => NOON, elapsedMs: () => 0 };

const REQUEST = {
  message: 'request',
  request_id: 'request-1',
  method: 'POST',
  route: '/v1/mcp-router/{slug}/messages',
  slug: 'pets',
  protocol: { era: 'modern', version: '2026-07-28' },
  duration_ms: 12.5,
};
const ANSWERED = { ...REQUEST, level: 'info', outcome: 'ok', status: 200 };
const REFUSED = { ...REQUEST, level: 'warn', outcome: 'forbidden', status: 403, why: 'a reason' };
const FAILED = { ...REQUEST, level: 'error', outcome: 'bug', status: 500 };
/** What is no remark on the side has no level. */
const RECORDS = [
  { type: 'security', event: 'authentication_failed', subject: '198.51.100.7' },
  { type: 'operator_command', command: 'stop', outcome: 'done' },
  { message: 'mail', purpose: 'verify', outcome: 'sent' },
  { message: 'swept', complete: true, failed: 0 },
];

/** Lines of these records at a level. */
const linesAt = (
  level: LogLevel | undefined,
  records: readonly object[],
  metrics?: ReturnType<typeof embeddedMetrics>,
): readonly string[] => {
  const lines: string[] = [];
  const log = stdoutLog(clock, { write: (line) => lines.push(line) }, metrics, level);
  for (const record of records) log.write({ ...record });
  return lines;
};

const outcomesAt = (level?: LogLevel) =>
  linesAt(level, [ANSWERED, REFUSED, FAILED]).map((line) => JSON.parse(line).outcome);

describe('the level of the log', () => {
  test.each<[LogLevel | undefined, readonly string[]]>([
    [undefined, ['ok', 'forbidden', 'bug']],
    ['info', ['ok', 'forbidden', 'bug']],
    ['warn', ['forbidden', 'bug']],
    ['error', ['bug']],
  ])('%s has lines of requests that ended so: %j', (level, outcomes) => {
    expect(outcomesAt(level)).toEqual(outcomes);
  });

  test.each(LOG_LEVELS)('%s leaves out no record of what was done', (level) => {
    expect(linesAt(level, RECORDS)).toEqual(linesAt(undefined, RECORDS));
  });

  test('leaves of a request whatever is counted, and neither whose it was nor what came of it', () => {
    const metrics = embeddedMetrics('HostedMcp/test');
    const [line = ''] = linesAt('error', [ANSWERED], metrics);
    const [whole = ''] = linesAt('info', [ANSWERED], metrics);

    expect(embeddedIn(line)).toEqual(embeddedIn(whole));
    expect(JSON.parse(line)).toEqual({
      time: '2026-11-20T12:00:00.000Z',
      message: 'request',
      level: 'info',
      protocol: REQUEST.protocol,
      _aws: expect.anything(),
      Route: 'mcp',
      Latency: 12.5,
      Faults: 0,
    });
  });

  test('is one of three, info where nothing is said, and none that would write more', () => {
    expect(readLogLevel('')).toBe('info');
    expect(readLogLevel()).toBe('info');
    expect(() => readLogLevel('debug')).toThrow('write info, warn or error');
  });
});
