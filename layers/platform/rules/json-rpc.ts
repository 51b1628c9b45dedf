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

/** @param result - JSON text, inserted unchanged */
export const resultText = (id: RpcId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export const errorText = (id: RpcId | null, refusal: RpcRefusal): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: errorOf(refusal) });

export const errorOf = ({ code, description, data }: RpcRefusal) => ({
  code: NUMBERS[code],
  message: description,
  ...(data && { data }),
});

/** Member of `_meta` that identifies the server. Source: MCP 2026-07-28, "Base Protocol", "_meta". */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Source: MCP 2026-07-28, "Base Protocol", "Error Codes"; docs/protocol.md, "Error codes". */
const MODERN_NUMBERS: Readonly<Record<RpcCode, number>> = {
  ...NUMBERS,
  resource_not_found: NUMBERS.invalid_params,
  // MCP versions without a handshake give -32000 no meaning.
  server_error: -32603,
};

/** Error response as JSON text. @param id - undefined where none is readable; then the member is omitted */
export const modernErrorText = (id: RpcId | null | undefined, refusal: RpcRefusal): string => {
  const { code, description, data } = refusal;
  return modernErrorBody(id, MODERN_NUMBERS[code], description, data);
};

/** Error response whose code may be an HTTP status, for errors of the transport. */
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

/** How long a result may be cached, and for whom. Source: MCP 2026-07-28, "Caching". */
export interface ResultCaching {
  readonly ttlMs: number;
  /** `public`: shared caches may keep it for everybody. */
  readonly cacheScope: 'public' | 'private';
}

/**
 * Adds the members that every result has.
 * @param result - JSON text of an object; not parsed, since it may have megabytes
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
