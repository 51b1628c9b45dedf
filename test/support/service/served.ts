import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '../target/listening.ts';
import { fetchFrom } from './service-fetch.ts';
import type { TestManagement } from './management.ts';

/** The management function behind a port, for programs that run in processes of their own. */
export const served = async (service: TestManagement) => {
  const send = fetchFrom(service);
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const answer = await send(`http://service${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const { url, stop } = await listening(server);
  return { baseUrl: `${url}/v1`, stop };
};
