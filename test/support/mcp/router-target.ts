import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../target/listening.ts';

export interface TestTarget {
  readonly url: string;
  /** Method and path of every request so far. */
  readonly seen: readonly string[];
  stop(): Promise<void>;
}

/** A target API on loopback that answers in each of the ways that matter. */
export const startTarget = async (): Promise<TestTarget> => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    void answer(request, response);
  });
  return { ...(await listening(server)), seen };
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = request.url ?? '';
  const send = (status: number, type: string, body: string | Buffer) =>
    response.writeHead(status, { 'content-type': type }).end(body);

  if (path.startsWith('/echo/')) {
    const { method, headers } = request;
    const body = await text(request);
    return void send(200, 'application/json', JSON.stringify({ method, path, headers, body }));
  }
  const status = Number(/^\/status\/(\d+)/.exec(path)?.[1]);
  if (status) return void send(status, 'application/json', '{"reason":"as you wish"}');
  if (path === '/image') return void send(200, 'image/png', Buffer.from([137, 80, 78, 71]));
  if (path === '/nothing') return void response.writeHead(204).end();
  if (path === '/large') return void send(200, 'text/plain', '\u0001'.repeat(3_000_000));
  request.socket.destroy();
};
