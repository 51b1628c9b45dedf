/**
 * What the local service bears: 64 clients at once with a mix of lists, calls of a tool and pings, each
 * answer checked, and what the process then occupies. Client, service and target are processes of their own.
 *
 * Goal: 900 right answers a second on two cores, less than 600 MB after the start, and memory that does not
 * grow with the calls on record. How many requests: `LOCAL_LOAD_REQUESTS`, 30,000 if not given.
 */
import { readFileSync } from 'node:fs';
import { CALL, rpc } from './fifty-tools.ts';
import { httpClient } from './http.ts';
import { startLocalService } from './local-service.ts';
import { printTable, type Row } from './table.ts';
import { startTarget } from './target.ts';

const CLIENTS = 64;
const REQUESTS = Number(process.env['LOCAL_LOAD_REQUESTS'] ?? 30_000);
const STEPS = 5;

/** Half of them calls, as clients do that have connected. */
const MIX: readonly { readonly body: string; readonly expected: string }[] = [
  { body: rpc('tools/call', CALL), expected: 'an item' },
  { body: rpc('ping'), expected: '"result":{}' },
  { body: rpc('tools/call', CALL), expected: 'an item' },
  { body: rpc('tools/list'), expected: 'getItem49' },
];

export const bench = async (): Promise<void> => {
  await using target = await startTarget();
  await using service = await startLocalService(target.url);
  using http = httpClient();
  const address = `${service.url}/mcp-router/fifty-tools/messages`;

  const send = async (requests: number) => {
    let next = 0;
    const client = async () => {
      for (let mine = next++; mine < requests; mine = next++) {
        const { body, expected } = MIX[mine % MIX.length]!;
        const answer = await http.postJson(address, body);
        if (!answer.includes(expected)) throw new Error(`not the right answer: ${answer}`);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  };

  const atStart = megabytesOf(service.pid);
  await send(REQUESTS / 10);
  const rows: Row[] = [['started', '', '', String(atStart)]];
  for (let step = 1; step <= STEPS; step += 1) {
    const [began, cpu] = [performance.now(), cpuMsOf(service.pid)];
    await send(REQUESTS / STEPS);
    const seconds = (performance.now() - began) / 1000;
    const each = (cpuMsOf(service.pid) - cpu) / (REQUESTS / STEPS);
    const sent = (REQUESTS / STEPS) * step + REQUESTS / 10;
    rows.push([
      `after ${sent} requests`,
      (REQUESTS / STEPS / seconds).toFixed(0),
      each.toFixed(2),
      String(megabytesOf(service.pid)),
    ]);
  }
  printTable(
    `The local service with ${CLIENTS} clients`,
    ['answers a second', 'processor ms each', 'MB'],
    rows,
    ['goal: 900 a second on two quiet cores, 600 MB after the start, no growth'],
  );
};

const megabytesOf = (pid: number): number => {
  const [, kilobytes = '0'] =
    /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
};

/** Of all its threads, in milliseconds: clock ticks of a hundredth of a second. */
const cpuMsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
};
