// The OpenID provider `oidc-provider` in a thread of its own, with its own pages: whoever types a name is that person.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { default: Provider } = await import('oidc-provider' as string);

let handle: (request: unknown, response: unknown) => void;
const listening = createServer((request, response) => handle(request, response));
await new Promise<void>((ready) => listening.listen(0, '127.0.0.1', ready));
const address = listening.address();
const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

/** Who has left. */
const disabled = new Set<unknown>();
parentPort?.on('message', (name) => disabled.add(name));

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: workerData.clientId,
      client_secret: workerData.clientSecret,
      redirect_uris: [workerData.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  cookies: { keys: ['a key of this test'] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_: unknown, id: string) =>
    disabled.has(id)
      ? undefined
      : {
          accountId: id,
          claims: () => ({ sub: id, email: `${id}@acme.example`, email_verified: true }),
        },
  rotateRefreshToken: true,
});
handle = provider.callback();
parentPort?.postMessage(issuer);
