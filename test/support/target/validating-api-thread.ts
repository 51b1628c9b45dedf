/** The thread of `validating-api.ts`: what it loads is slow to load among tests. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { createMockServer } from '@scalar/mock-server';
import type { Received } from './validating-api.ts';

type App = Awaited<ReturnType<typeof createMockServer>>;

const apps = new Map<string, App | undefined>();

/** What the mock server's validation says, or that it knows no such operation. */
const violationsOf = async (app: App, path: string, received: Received): Promise<unknown> => {
  const { method, headers } = received;
  const body = Buffer.from(received.body, 'base64');
  const request = new Request(`http://api.example${path}`, {
    method,
    headers: Object.entries(headers),
    ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' ? { body } : {}),
  });
  const answer = await app.fetch(request);
  const text = await answer.text();
  // An answer to HEAD says nothing of why.
  if (answer.status === 422 && text !== '') return JSON.parse(text).violations;
  if ([404, 422].includes(answer.status) || answer.status >= 500) {
    return [{ location: 'path', path, message: `answered ${answer.status}` }];
  }
  return [];
};

const receive = async (incoming: IncomingMessage): Promise<Received> => {
  const { method = '', url = '', rawHeaders } = incoming;
  const body = Buffer.concat(await incoming.toArray()).toString('base64');
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers[(rawHeaders[index] ?? '').toLowerCase()] = rawHeaders[index + 1] ?? '';
  }
  return { method, url, headers, body };
};

const server = createServer({ maxHeaderSize: 65_536 }, async (incoming, response) => {
  const received = await receive(incoming);
  const [, id = '', rest = ''] = /^\/([^/]+)(.*)$/s.exec(received.url) ?? [];
  const app = apps.get(id);
  const violations = app ? await violationsOf(app, rest, received) : [];
  const answer = JSON.stringify({ violations, received: { ...received, url: rest } });
  // An answer to HEAD has no body to say it in.
  if (received.method === 'HEAD') response.setHeader('x-answer', encodeURIComponent(answer));
  response.setHeader('content-type', 'application/json').end(answer);
});

const port = parentPort;
if (port) {
  // It tells of formats that it does not know, and how to sign in.
  for (const level of ['log', 'warn', 'error'] as const)
    globalThis.console[level] = () => undefined;
  port.on(
    'message',
    async ({ id, document }: { id: string; document?: Record<string, unknown> }) => {
      try {
        apps.set(id, document && (await createMockServer({ document, logger: false })));
        port.postMessage('ready');
      } catch (error) {
        port.postMessage(String(error));
      }
    },
  );
  server.listen(0, '127.0.0.1', () => {
    port.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}
