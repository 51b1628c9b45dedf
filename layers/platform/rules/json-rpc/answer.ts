import type { RpcCode, RpcRefusal } from '../refusal/rpc-refusal.ts';

/** Source: JSON-RPC 2.0 §4. */
export type RpcId = string | number;

/** Source: JSON-RPC 2.0 §5.1; MCP 2025-03-26, "Resources"; docs/protocol.md, "Error codes". */
export const NUMBERS: Readonly<Record<RpcCode, number>> = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  resource_not_found: -32002,
  header_mismatch: -32020,
  unsupported_protocol_version: -32022,
  server_error: -32000,
};

export interface RpcError {
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
