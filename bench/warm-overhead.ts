/**
 * How much longer a tool call takes through the whole local service (gateway, router, embedded
 * DynamoDB) than the same request made directly to the target: every call of the one kind is followed
 * by one of the other, so that both see the same machine. Client, service and target are processes of
 * their own.
 *
 * Goal: the medians of one client differ by less than 5 ms.
 */
import { CALL, CALL_PATH, rpc } from './fifty-tools.ts';
import { httpClient } from './http.ts';
import { startLocalService } from './local-service.ts';
import { median, ms, percentile, printTable, type Row } from './table.ts';
import { startTarget } from './target.ts';

const WARM_UP = 300;
const CALLS = 1500;
const CLIENTS = [1, 8];

export const bench = async (): Promise<void> => {
  await using target = await startTarget();
  await using service = await startLocalService(target.url);
  using http = httpClient();

  const direct = () => http.get(`${target.url}${CALL_PATH}`);
  const body = rpc('tools/call', CALL);
  const through = () => http.postJson(`${service.url}/mcp-router/fifty-tools/messages`, body);

  const measure = async (clients: number, calls: number) => {
    const took = { direct: [] as number[], through: [] as number[] };
    const client = async () => {
      for (let call = 0; call < calls / clients; call += 1) {
        took.direct.push(await timed(direct));
        took.through.push(await timed(through));
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return took;
  };

  await measure(1, WARM_UP);
  const rows: Row[] = [];
  for (const clients of CLIENTS) {
    const took = await measure(clients, CALLS);
    for (const [name, values] of [
      ['direct', took.direct],
      ['through the service', took.through],
    ] as const) {
      const title = `${clients} client${clients > 1 ? 's' : ''}, ${name}`;
      rows.push([title, ms(median(values)), ms(percentile(values, 95))]);
    }
    const overhead = [50, 95].map((at) =>
      ms(percentile(took.through, at) - percentile(took.direct, at)),
    );
    rows.push(['  overhead', ...overhead]);
  }
  printTable(`Warm overhead of tools/call, ${CALLS} calls each`, ['median', 'p95'], rows, [
    'goal: an overhead of less than 5 ms in the median at one client',
  ]);
};

const timed = async (call: () => Promise<string>): Promise<number> => {
  const started = performance.now();
  await call();
  return performance.now() - started;
};
