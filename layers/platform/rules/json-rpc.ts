import type { RpcCode, RpcRefusal } from './refusal/rpc-refusal.ts';

/** Source: JSON-RPC 2.0 §4. */
export type RpcId = string | number;

/** Source: JSON-RPC 2.0 §5.1; MCP 2025-03-26, "Resources"; docs/protocol.md, "Error codes". */
const NUMBERS: Readonly<Record<RpcCode, number>> = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  resource_not_found: -32002,
  header_mismatch: -32020,
  unsupported_protocol_version: -32022,
  server_error: -32000,
};

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** @param result - JSON text, taken as it is */
export const resultText = (id: RpcId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

/** JSON text of an error response. */
export const errorText = (id: RpcId | null, refusal: RpcRefusal): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: errorOf(refusal) });

export const errorOf = ({ code, description, data }: RpcRefusal): RpcError => ({
  code: NUMBERS[code],
  message: description,
  ...(data && { data }),
});

/** The member of `_meta` that names the server. Source: MCP 2026-07-28, "Base Protocol", "_meta". */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

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
