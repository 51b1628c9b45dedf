import type { OfferedTool } from '../../../../../layers/openapi/model-apis/protocols.ts';
import { call, readAll } from '../../../api/call.ts';
import { type Loaded, useLoad } from '../../../state/load.ts';
import type { Server } from '../frame.tsx';
import { offeredOf, type Tool } from '../tools/tool.ts';

/** What a model is shown of a server, and what it can call with that. */
export interface Offered {
  readonly tools: readonly OfferedTool[];
  /** In search mode found and called by the tools; otherwise the tools themselves. */
  readonly operations: readonly Tool[];
  readonly isSearch: boolean;
}

/** @param version - the served one if undefined, as it is in search mode */
export const offeredBy = async (
  { slug, tool_mode: mode }: Server,
  version?: number,
): Promise<Offered> => {
  const path = { slug };
  const query = version === undefined ? {} : { version };
  const operations = await readAll('GET /deployments/{slug}/tools', { path, query });
  if (mode !== 'search') {
    return { tools: operations.map(offeredOf), operations, isSearch: false };
  }
  const { tools } = (await call('GET /deployments/{slug}/search-tools', { path })).body;
  return { tools: tools.map(offeredOf), operations, isSearch: true };
};

export const useOffered = (server: Server): Loaded<Offered> =>
  useLoad(`offered:${server.slug}:${server.version}`, () => offeredBy(server));
