import { describe, expect, test } from '@jest/globals';
import { embeddedMetrics } from '../../../layers/platform/log/embedded-metrics.ts';
import { stdoutLog } from '../../../layers/platform/log/stdout-log.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { embeddedIn } from '../../support/aws/cloudwatch.ts';

const clock = { now: () => NOON, elapsedMs: () => 0 };
const written = (record: object, metrics = embeddedMetrics('HostedMcp/test')): string => {
  const lines: string[] = [];
  stdoutLog(clock, { write: (line) => lines.push(line) }, metrics).write({ ...record });
  return lines.join('');
};

describe('a line of the log that measures something', () => {
  const request = {
    message: 'request',
    route: '/v1/mcp-oauth-server/token',
    outcome: 'fault',
    neighbour: 'dynamodb',
    status: 503,
    duration_ms: 12.5,
  };

  test('is what CloudWatch makes metrics of, and says all that it says without', () => {
    const line = written(request);

    expect(
      embeddedIn(line).map(({ name, dimensions, value }) => [name, dimensions, value]),
    ).toEqual([
      ['Latency', { Route: 'tokens' }, 12.5],
      ['Faults', { Route: 'tokens' }, 1],
      ['NeighbourFaults', { Neighbour: 'dynamodb' }, 1],
    ]);
    expect(embeddedIn(line)[0]).toMatchObject({ namespace: 'HostedMcp/test', atMs: NOON * 1000 });
    expect(JSON.parse(line)).toMatchObject(request);
  });

  test('is not masked where a metric is named like a secret', () => {
    const line = written({ type: 'credential_access', outcome: 'ok', duration_ms: 4 });

    expect(embeddedIn(line)).toMatchObject([{ name: 'CredentialRetrieval', value: 4 }]);
  });

  test('takes less than 400 bytes more', () => {
    const bytes = (line: string) => Buffer.byteLength(line);
    const plain = { ...request, outcome: 'ok', status: 200 };

    expect(bytes(written(plain)) - bytes(written(plain, () => undefined))).toBeLessThan(400);
  });

  test('measures nothing where the stage has no metrics', () => {
    expect(embeddedIn(written(request, () => undefined))).toEqual([]);
  });
});
