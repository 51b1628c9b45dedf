import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  createServer as createRawServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';

/** A target API on loopback, as real as they come. */
export interface TargetServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** All that were ever opened. */
  readonly connections: readonly Socket[];
  readonly requests: readonly ReceivedRequest[];
}

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** Self-signed, for `localhost` and not for 127.0.0.1, good until 2126. Nothing but tests knows or trusts it. */
export const certificate = readFileSync(
  new URL('../tls/localhost.cert.pem', import.meta.url),
  'utf8',
);
const key = readFileSync(new URL('../tls/localhost.key.pem', import.meta.url), 'utf8');

/** @param address - of loopback; each but 127.0.0.1 can stand for a machine in a private network */
export const anHttpServer = (answer: Answer, address?: string): Promise<TargetServer> => {
  const requests: ReceivedRequest[] = [];
  const server = createServer(recording(requests, answer));
  return listening(server, 'http', requests, address, address);
};

export const anHttpsServer = (answer: Answer, address?: string): Promise<TargetServer> => {
  const requests: ReceivedRequest[] = [];
  const server = createSecureServer({ key, cert: certificate }, recording(requests, answer));
  return listening(server, 'https', requests, 'localhost', address);
};

/** Speaks whatever `talk` makes it say. */
export const aRawServer = (talk: (socket: Socket) => void): Promise<TargetServer> =>
  listening(createRawServer(talk), 'http', []);

const recording =
  (requests: ReceivedRequest[], answer: Answer) =>
  async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = incoming;
    const received = { method, url, headers, body: (await incoming.toArray()).join('') };
    requests.push(received);
    answer(received, response);
  };

const listening = async (
  server: Server,
  scheme: string,
  requests: readonly ReceivedRequest[],
  host = '127.0.0.1',
  address = '127.0.0.1',
): Promise<TargetServer> => {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    // Clients that hang up are what many tests are about.
    socket.on('error', () => undefined);
    connections.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://${host}:${port}`,
    port,
    connections,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
};
