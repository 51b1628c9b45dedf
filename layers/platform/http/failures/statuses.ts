import type { ApiCode } from '../../rules/refusal/api-refusal.ts';
import type { OAuthCode } from '../../rules/refusal/oauth-refusal.ts';
import type { PageCode } from '../../rules/refusal/page-refusal.ts';
import type { RouterCode } from '../../rules/refusal/router-refusal.ts';
import type { RpcCode } from '../../rules/refusal/rpc-refusal.ts';

/** Status, and the value of `error` in the body. Source: RFC 6750 §3.1; docs/decisions/mcp.md, "HTTP statuses". */
export const ROUTER: Readonly<Record<RouterCode, readonly [status: number, error: string]>> = {
  bad_request: [400, 'invalid_request'],
  missing_token: [401, 'invalid_token'],
  invalid_token: [401, 'invalid_token'],
  insufficient_scope: [403, 'insufficient_scope'],
  forbidden: [403, 'forbidden'],
  forbidden_origin: [403, 'forbidden_origin'],
  not_found: [404, 'not_found'],
  method_not_allowed: [405, 'method_not_allowed'],
  payload_too_large: [413, 'payload_too_large'],
  unsupported_media_type: [415, 'unsupported_media_type'],
  rate_limited: [429, 'rate_limited'],
  unavailable: [503, 'unavailable'],
};

/** Statuses of plain HTTP requests to the legacy endpoint. Source: docs/decisions/mcp.md, "The legacy endpoint". */
export const RPC: Readonly<Record<RpcCode, number>> = {
  parse_error: 400,
  invalid_request: 400,
  invalid_params: 400,
  method_not_found: 404,
  resource_not_found: 404,
  header_mismatch: 400,
  unsupported_protocol_version: 400,
  server_error: 502,
};

/** Source: docs/decisions/oauth.md, "Statuses of OAuth errors". */
export const OAUTH: Readonly<Record<OAuthCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  access_denied: 400,
  interaction_required: 400,
  too_many_requests: 429,
  temporarily_unavailable: 503,
  server_error: 500,
};

/** Source: docs/decisions/management.md, "Errors of the management API". */
export const API: Readonly<Record<ApiCode, number>> = {
  malformed_request: 400,
  unsupported_media_type: 415,
  payload_too_large: 413,
  invalid_request: 422,
  invalid_credentials: 401,
  invalid_session: 401,
  sign_in_again: 403,
  machine_refused: 401,
  temporarily_unavailable: 503,
  token_not_allowed: 403,
  invalid_token: 400,
  sign_up_closed: 403,
  use_company_sign_in: 403,
  foreign_origin: 403,
  not_found: 404,
  slug_taken: 409,
  conflict: 409,
  managed: 409,
  stale: 412,
  plan_stale: 412,
  idempotency_key_in_use: 409,
  idempotency_key_reused: 422,
  limit_reached: 422,
  rate_limited: 429,
  description_too_large: 413,
  description_not_parseable: 422,
  description_not_openapi: 422,
  description_invalid: 422,
  description_too_deep: 422,
  external_reference: 422,
  unresolvable_reference: 422,
  no_operations: 422,
  too_many_operations: 422,
  no_server_url: 422,
  alias_expansion: 422,
  forbidden_key: 422,
  tool_list_too_large: 422,
  description_unreachable: 422,
  answer_too_large: 422,
};

/** Source: docs/protocol.md, "Authorization endpoint". */
export const PAGE: Readonly<Record<PageCode, number>> = {
  unknown_client: 400,
  unreachable_document: 400,
  unusable_document: 400,
  unregistered_redirect_uri: 400,
  refused_request: 400,
  ended_ticket: 400,
  foreign_form: 403,
  refused_command_line: 400,
  unknown_provider: 404,
  sign_in_ended: 400,
  sign_in_unavailable: 503,
  sign_in_misconfigured: 500,
  sign_in_refused: 403,
  no_account: 403,
};
