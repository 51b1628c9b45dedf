// The authorization server `oauth2-mock-server`, which misbehaves as it is told, in a thread of its own: it compares
// prototypes of objects, which differ between the contexts of a test.
import { parentPort } from 'node:worker_threads';
import { Events, OAuth2Server } from 'oauth2-mock-server';

const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
await server.start(0, '127.0.0.1');
const issuer = `http://127.0.0.1:${server.address().port}`;
server.issuer.url = issuer;

let next: { readonly status: number; readonly body: unknown } | undefined;
server.service.on(Events.BeforeResponse, (response, request) => {
  const { headers, body } = request as unknown as { headers: object; body: object };
  parentPort?.postMessage({ seen: { headers: { ...headers }, body: { ...body } } });
  if (!next) return;
  response.statusCode = next.status;
  response.body = next.body as never;
  next = undefined;
});
parentPort?.on('message', (answer: typeof next) => {
  next = answer;
  parentPort?.postMessage({ ready: true });
});
parentPort?.postMessage({ issuer });
