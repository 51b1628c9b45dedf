import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A target API of two operations' worth of work: it answers 1 KB of JSON at once. */
const ANSWER = JSON.stringify({ id: 7, name: 'an item', text: 'x'.repeat(1000) });

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
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}
