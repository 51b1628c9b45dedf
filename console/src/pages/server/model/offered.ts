import type { OfferedTool } from '../../../../../layers/openapi/model-apis/protocols.ts';
import { call, readTagged } from '../../../api/call.ts';
import { type Loaded, useLoad } from '../../../state/load.ts';
import type { Server } from '../frame.tsx';
import { offeredOf, type Tool } from '../tools/tool.ts';

/** Tools of a server as a model gets them, and the operations that it can call with them. */
export interface Offered {
  readonly tools: readonly OfferedTool[];
  /** Operations that the tools of search mode find and call; otherwise, the tools themselves. */
  readonly operations: readonly Tool[];
  readonly isSearch: boolean;
  readonly instructions: string | undefined;
}

/** What a server offered when it had this ETag. */
export interface Served extends Offered {
  /** Trials send it, so that they are refused once the server has changed. */
  readonly etag: string;
}

/** @param version - undefined for the served version, the only one in search mode */
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

/** @param etag - reloads when the server changes; without it, tools stay until the page puts others in their place */
export const useOffered = (server: Server, etag = ''): Loaded<Served> =>
  useLoad(`offered:${server.slug}:${etag}`, () => offeredBy(server));
