import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../loopback-server.ts';
import { openBookshop, type ShopAnswer } from './bookshop.ts';
import { jsonOrUndefined } from '../../layers/platform/rules/json/parsed-json.ts';

/** Address of the sample's description; the server in it is a placeholder for the real one. */
export const SAMPLE_DESCRIPTION = new URL('openapi.yaml', import.meta.url);

/** Starts the sample target API on loopback. @param preferredPort - another one is taken if it is in use */
export const startSampleApi = async (preferredPort: number) => {
  const shop = openBookshop();
  const serve = async (request: IncomingMessage): Promise<ShopAnswer> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bookshop');
    const body = jsonOrUndefined(await text(request));
    return shop({ method: request.method ?? '', path: pathname, query: searchParams, body });
  };
  const server = createServer((request, response) => {
    serve(request).then(
      ({ status, type, body }) => {
        response.writeHead(status, type === undefined ? {} : { 'content-type': type });
        response.end(body);
      },
      () => response.destroy(),
    );
  });
  const port = await listen(server, preferredPort).catch(() => listen(server, 0));
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
};
