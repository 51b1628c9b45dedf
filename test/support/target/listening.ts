import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free port of loopback; `stop` breaks its connections off. */
export const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export type Listening = Awaited<ReturnType<typeof listening>>;

/** That nobody listens on. */
export const aFreePort = async (): Promise<number> => {
  const { port, stop } = await listening(createServer());
  await stop();
  return port;
};
