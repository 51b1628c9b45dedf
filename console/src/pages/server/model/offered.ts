import type { OfferedTool } from '../../../../../layers/openapi/model-apis/protocols.ts';
import { call, readTagged } from '../../../api/call.ts';
import { type Loaded, useLoad } from '../../../state/load.ts';
import type { Server } from '../frame.tsx';
import { offeredOf, type Tool } from '../tools/tool.ts';

/** What a model is shown of a server, and what it can call with that. */
export interface Offered {
  readonly tools: readonly OfferedTool[];
  /** In search mode found and called by the tools; otherwise the tools themselves. */
  readonly operations: readonly Tool[];
  readonly isSearch: boolean;
  readonly instructions: string | undefined;
}

/** The same of a server as it was when it was read. */
export interface Served extends Offered {
  /** What trials name, so that they are refused once the server has changed. */
  readonly etag: string;
}

/** @param version - the served one if undefined, as it is in search mode */
export const offeredBy = async (
  { slug, tool_mode: mode, instructions }: Server,
  version?: number,
): Promise<Served> => {
  const path = { slug };
  const query = version === undefined ? {} : { version };
  const list = await readTagged('GET /deployments/{slug}/tools', { path, query });
  const { items: operations, etag } = list;
  if (mode !== 'search') {
    return { tools: operations.map(offeredOf), operations, isSearch: false, instructions, etag };
  }
  const { tools } = (await call('GET /deployments/{slug}/search-tools', { path })).body;
  return { tools: tools.map(offeredOf), operations, isSearch: true, instructions, etag };
};

/**
 * @param etag - of the server: where that changes, it is read anew. If omitted, the page keeps what it has, whatever
 *   becomes of the server, until it puts something else in its place
 */
export const useOffered = (server: Server, etag = ''): Loaded<Served> =>
  useLoad(`offered:${server.slug}:${etag}`, () => offeredBy(server));
