/**
 * How much longer a tool call takes through a private network than the same call over the public way: every call of
 * the one kind is followed by one of the other, in one service, to one target in a process of its own. The router
 * invokes the function of the network through the embedded Lambda, over a socket, as it does on AWS.
 *
 * Goal: the medians differ by at most 15 ms.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networksFrom } from '../local/run/networks.ts';
import { startService } from '../local/run/service.ts';
import { CALL, description, rpc } from './fifty-tools.ts';
import { httpClient } from './http.ts';
import { median, ms, percentile, printTable, type Row } from './table.ts';
import { startTarget } from './target.ts';

const WARM_UP = 200;
const CALLS = 1000;
const LIMITS = { public_requests_per_minute_per_ip: 1_000_000 };

export const bench = async (): Promise<void> => {
  await using target = await startTarget();
  const dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const service = await startService({
    port: 0,
    dataFolder,
    settings: { LIMITS: JSON.stringify(LIMITS) },
    networks: networksFrom(['near=127.0.0.1/32']),
  });
  using http = httpClient();
  try {
    const publish = async (slug: string, more: object) => {
      const openapi = description(target.url);
      const command = { operator: 'publish', ownerId: 'bench', slug, authMethod: 'none', openapi };
      const answer = await service.invoke('management', { ...command, ...more });
      if ((answer as { ok?: boolean }).ok !== true) throw new Error(JSON.stringify(answer));
    };
    await publish('plain', {});
    await publish('near', { network: 'near' });
    const body = rpc('tools/call', CALL);
    const calling = (slug: string) => () =>
      http.postJson(`${service.baseUrl}/mcp-router/${slug}/messages`, body);
    const [plain, near] = [calling('plain'), calling('near')];
    const measure = async (calls: number) => {
      const took = { plain: [] as number[], near: [] as number[] };
      for (let call = 0; call < calls; call += 1) {
        took.plain.push(await timed(plain));
        took.near.push(await timed(near));
      }
      return took;
    };
    await measure(WARM_UP);
    const took = await measure(CALLS);
    const rows: Row[] = [
      ['over the public way', ms(median(took.plain)), ms(percentile(took.plain, 95))],
      ['through a private network', ms(median(took.near)), ms(percentile(took.near, 95))],
      [
        '  more',
        ms(median(took.near) - median(took.plain)),
        ms(percentile(took.near, 95) - percentile(took.plain, 95)),
      ],
      [
        '  times as long',
        (median(took.near) / median(took.plain)).toFixed(2),
        (percentile(took.near, 95) / percentile(took.plain, 95)).toFixed(2),
      ],
    ];
    printTable(`A call through a private network, ${CALLS} calls each`, ['median', 'p95'], rows, [
      'goal: at most 15 ms more in the median',
    ]);
  } finally {
    await service.close();
    await rm(dataFolder, { recursive: true });
  }
};

const timed = async (call: () => Promise<string>): Promise<number> => {
  const started = performance.now();
  const answer = await call();
  if (!answer.includes('an item')) throw new Error(answer.slice(0, 300));
  return performance.now() - started;
};
