/**
 * Whether each of many calls is on record, and how soon: 10,000 calls through the whole local service,
 * fifty at a time, and then none.
 *
 * Goals: as many records, the counts equal, and the last of them within a minute after its call.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startService } from '../test/support/service.ts';
import { CALL, description, rpc } from './fifty-tools.ts';
import { httpClient } from './http.ts';
import { ms, printTable } from './table.ts';
import { startTarget } from './target.ts';

const CALLS = 10_000;
const AT_ONCE = 50;

export const bench = async (): Promise<void> => {
  await using target = await startTarget();
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, description(target.url));
  const limits = { public_requests_per_minute_per_ip: 1_000_000 };
  const args = ['--openapi', file, '--slug', 'called', '--auth', 'none'];
  await using service = await startService({ args, limits });
  await rm(folder, { recursive: true });
  using http = httpClient();

  const management = `${service.baseUrl}/mcp-management`;
  const { email, password } = await service.owner();
  const signedIn = await http.postJson(
    `${management}/sessions`,
    JSON.stringify({ email, password }),
  );
  const { access_token: token } = JSON.parse(signedIn) as { access_token: string };
  const read = async (path: string): Promise<Page> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${management}/deployments/called/${path}`, { headers });
    if (answer.status === 429) {
      // Reading has a limit of its own.
      await setTimeout(1000);
      return read(path);
    }
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Page;
  };
  const counted = async () =>
    (await read('activity?type=tool_invocations')).items.reduce((sum, { calls }) => sum + calls, 0);

  const url = `${service.baseUrl}/mcp-router/called/messages`;
  const waiting = Array.from({ length: CALLS }).values();
  const body = rpc('tools/call', CALL);
  const began = performance.now();
  const worker = async () => {
    for (const _ of waiting) await http.postJson(url, body);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const called = performance.now();
  let counts = await counted();
  while (counts < CALLS && performance.now() - called < 120_000) {
    await setTimeout(500);
    counts = await counted();
  }
  const stored = performance.now();

  const ids = new Set<string>();
  let records = 0;
  let cursor: string | undefined;
  do {
    const page = await read(`calls?limit=100${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    for (const { request_id: id } of page.items) ids.add(id);
    records += page.items.length;
    cursor = page.next_cursor;
  } while (cursor !== undefined);

  printTable(
    `${CALLS} calls, ${AT_ONCE} at a time`,
    [''],
    [
      ['records', records],
      ['of requests', ids.size],
      ['counted', counts],
      ['calls took', ms(called - began)],
      ['the last was counted after', ms(stored - called)],
    ],
    [`goal: ${CALLS} three times, and less than a minute`],
  );
};

interface Page {
  readonly items: readonly { readonly calls: number; readonly request_id: string }[];
  readonly next_cursor?: string;
}
