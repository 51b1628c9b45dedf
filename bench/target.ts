import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A target API of two operations' worth of work: it answers 1 KB of JSON at once, at `/rows/4096` a list of 4 KB. */
const ANSWER = JSON.stringify({ id: 7, name: 'an item', text: 'x'.repeat(1000) });

/** A list as APIs write it, of so many bytes: ids, dates, addresses, texts with ends of lines and letters of others. */
const listOf = (bytes: number): string => {
  const rows: string[] = [];
  for (let length = 2, id = 1; length < bytes; id += 1) {
    const row = JSON.stringify({
      id,
      uuid: `0190c3a2-7b1e-7c4d-9f21-${id.toString(16).padStart(12, '0')}`,
      name: `row ${id}`,
      text: `Said "yes" on line ${id}.\nThen: caf\u00e9, 100% of it <b>& more</b>.`,
      url: `https://api.example.com/rows/${id}?q=a%20b&page=${id % 7}`,
      hash: Buffer.from(`${id}:${id * 7919}`).toString('base64'),
      created_at: '2026-03-01T12:34:56.789Z',
      tags: ['new', 'red'],
      price: id / 4,
      deleted: false,
    });
    rows.push(row);
    length += row.length + 1;
  }
  return `[${rows.join(',')}]`;
};

export interface Target extends AsyncDisposable {
  readonly url: string;
}

/** Starts the target in a process of its own, so that its time is nobody else's. */
export const startTarget = async (): Promise<Target> => {
  const child = fork(new URL(import.meta.url), { execArgv: [] });
  const [port] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
};

if (import.meta.main && process.send) {
  const lists = new Map<string, string>();
  const answerAt = (url = ''): string => {
    const [, bytes] = /^\/rows\/(\d+)/.exec(url) ?? [];
    if (bytes === undefined) return ANSWER;
    const list = lists.get(bytes) ?? listOf(Number(bytes));
    lists.set(bytes, list);
    return list;
  };
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answerAt(url));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}
