/**
 * What metrics add to the line of a request, in processor time and bytes: the same line written without and
 * with, in turns.
 *
 * Goal: less than 0.1 ms of processor time for a call.
 */
import { embeddedMetrics } from '../layers/core/adapters/log/embedded-metrics.ts';
import { stdoutLog } from '../layers/core/adapters/log/stdout-log.ts';
import { median, printTable, type Row } from './table.ts';

const ROUNDS = 20;
const LINES = 5000;

const RECORD = {
  message: 'request',
  level: 'info',
  request_id: 'Jq1hYiP3oAMEMdA=',
  method: 'POST',
  route: '/v1/mcp-router/{slug}/messages',
  slug: 'a-deployment',
  rpc: [{ method: 'tools/call', tool: 'getPet', outcome: 'ok' }],
  outcome: 'ok',
  status: 200,
  duration_ms: 312.4,
};

export const bench = async (): Promise<void> => {
  const rows = [
    ['without', undefined],
    ['with', embeddedMetrics('HostedMcp/prod')],
  ] as const;
  const took = rows.map((): number[] => []);
  const bytes = rows.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, [, metrics]] of rows.entries()) {
      const out = { write: (line: string) => (bytes[index] = Buffer.byteLength(line)) };
      const log = stdoutLog({ now: () => 1_795_176_000, elapsedMs: () => 0 }, out, metrics);
      const before = process.cpuUsage();
      for (let line = 0; line < LINES; line += 1) log.write(RECORD);
      const { user, system } = process.cpuUsage(before);
      took[index]?.push((user + system) / LINES);
    }
  }
  printTable(
    'The line of a request',
    ['processor time', 'bytes'],
    rows.map(([name], index): Row => [
      `${name} metrics`,
      `${median(took[index] ?? []).toFixed(1)} µs`,
      bytes[index] ?? 0,
    ]),
    ['goal: less than 100 µs more with metrics'],
  );
};
