import type { RpcCode, RpcRefusal } from '../refusal/rpc-refusal.ts';
import { NUMBERS, type RpcId } from './answer.ts';

/** The member of `_meta` that names the server. Source: MCP 2026-07-28, "Base Protocol", "_meta". */
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Source: MCP 2026-07-28, "Base Protocol", "Error Codes"; docs/protocol.md, "Error codes". */
const MODERN_NUMBERS: Readonly<Record<RpcCode, number>> = {
  ...NUMBERS,
  resource_not_found: NUMBERS.invalid_params,
  // The range of -32000 has no meaning to clients any more.
  server_error: -32603,
};

/** JSON text of an error response. @param id - undefined where none can be read: then there is no member */
export const modernErrorText = (id: RpcId | null | undefined, refusal: RpcRefusal): string => {
  const { code, description, data } = refusal;
  return modernErrorBody(id, MODERN_NUMBERS[code], description, data);
};

/** The same under a code of the transport's own, which is the status of HTTP. */
export const modernErrorBody = (
  id: RpcId | null | undefined,
  code: number,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data && { data }) },
  });

/** How long a result may be kept, and by whom. Source: MCP 2026-07-28, "Caching". */
export interface ResultCaching {
  /** Milliseconds. */
  readonly ttlMs: number;
  /** `public`: by anybody, for anybody. */
  readonly cacheScope: 'public' | 'private';
}

/**
 * A result with what every result says of itself.
 *
 * @param result - JSON text of an object, which is not parsed: it may be megabytes
 *
 * Source: MCP 2026-07-28, "Base Protocol", "Results".
 */
export const completeResult = (
  result: string,
  serverInfo: object,
  caching: ResultCaching | undefined,
): string => {
  const added = { resultType: 'complete', ...caching, _meta: { [SERVER_INFO]: serverInfo } };
  const members = result.slice(1, -1);
  return `${JSON.stringify(added).slice(0, -1)}${members === '' ? '' : ','}${members}}`;
};
