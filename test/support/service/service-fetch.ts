import type { World } from '../../../cli/world.ts';
import type { TestManagement } from './management.ts';

/** The management function in place of the network, for the command line. */
export const fetchFrom =
  (service: TestManagement): World['fetch'] =>
  async (url, { method = 'GET', headers, body }) => {
    const { pathname, search } = new URL(url);
    const answer = await service.call(method, pathname.replace('/v1/mcp-management', ''), {
      headers: Object.fromEntries(new Headers(headers)),
      query: search.slice(1),
      ...(body !== null &&
        body !== undefined && {
          body: typeof body === 'string' ? body : Buffer.from(body as Uint8Array),
        }),
    });
    const text = answer.status === 204 ? null : JSON.stringify(answer.body);
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
