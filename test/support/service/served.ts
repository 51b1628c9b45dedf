import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchFrom } from './service-fetch.ts';
import type { TestManagement } from './management.ts';

/** The management function behind a port, for programs that run in processes of their own. */
export const served = async (service: TestManagement) => {
  const send = fetchFrom(service);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const answer = await send(`http://service${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
};
