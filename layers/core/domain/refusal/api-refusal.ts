import { Refusal } from './refusal.ts';

/** What the management API can refuse. Closed: the status table checks it. */
export type ApiCode =
  | 'malformed_request'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'invalid_request'
  | 'not_found'
  | 'slug_taken'
  | 'conflict'
  | 'stale'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'limit_reached'
  | 'rate_limited'
  | 'invalid_credentials'
  | 'invalid_session'
  | 'invalid_token'
  | 'sign_up_closed'
  | 'foreign_origin'
  | 'description_too_large'
  | 'description_not_parseable'
  | 'description_not_openapi'
  | 'description_invalid'
  | 'description_too_deep'
  | 'external_reference'
  | 'unresolvable_reference'
  | 'no_operations'
  | 'too_many_operations'
  | 'no_server_url'
  | 'alias_expansion'
  | 'forbidden_key'
  | 'tool_list_too_large'
  | 'description_unreachable';

/** One thing that is wrong with what was sent: where, what, and what to do about it. */
export interface Finding {
  /** A JSON pointer (`/paths/~1pets/get`) or `line 3, column 7`; empty for the whole document. */
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

export interface ApiRefusalDetails {
  readonly retryAfterSeconds?: number;
  /** The limit that was reached, by its one name. */
  readonly limit?: string;
}

/** A management request that breaks a rule. At most 20 findings. */
export class ApiRefusal extends Refusal<ApiCode> {
  override readonly name = 'ApiRefusal';
  readonly findings: readonly Finding[];
  readonly details: ApiRefusalDetails;

  constructor(
    code: ApiCode,
    description: string,
    findings: readonly Finding[] = [],
    why = description,
    details: ApiRefusalDetails = {},
  ) {
    super(code, description, why);
    this.findings = findings;
    this.details = details;
  }
}
