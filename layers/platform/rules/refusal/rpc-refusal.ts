import { Refusal } from './refusal.ts';

/** Source: JSON-RPC 2.0 §5.1; MCP 2026-07-28, "Base Protocol", "Error Codes". */
export type RpcCode =
  | 'parse_error'
  | 'invalid_request'
  | 'method_not_found'
  | 'invalid_params'
  | 'resource_not_found'
  /** A header contradicts the body. */
  | 'header_mismatch'
  | 'unsupported_protocol_version'
  | 'server_error';

/** A JSON-RPC request answered with an error object. `data` is sent. */
export class RpcRefusal extends Refusal<RpcCode> {
  override readonly name = 'RpcRefusal';
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: RpcCode,
    description: string,
    data?: Readonly<Record<string, unknown>>,
    why = description,
  ) {
    super(code, description, why);
    this.data = data;
  }
}
