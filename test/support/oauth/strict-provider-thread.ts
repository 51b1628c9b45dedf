// The authorization server `oidc-provider` in a thread of its own: it compares prototypes of objects, which differ
// between the contexts of a test.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { default: Provider } = await import('oidc-provider' as string);

let asked = 0;
let handle: (request: unknown, response: unknown) => void;
const listening = createServer((request, response) => {
  if (request.url === '/asked') return void response.end(String(asked));
  if (request.url === '/token' && request.method === 'POST') asked += 1;
  handle(request, response);
});
await new Promise<void>((ready) => listening.listen(0, '127.0.0.1', ready));
const address = listening.address();
const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

const provider = new Provider(issuer, {
  clients: workerData.clients,
  scopes: ['orders:read', 'orders:write'],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    resourceIndicators: { enabled: false },
  },
  ttl: { ClientCredentials: () => 600 },
});
handle = provider.callback();
parentPort?.postMessage(issuer);
