import { Refusal } from './refusal.ts';

/** Codes of refusals of the management API. The status table must have them all. */
export type ApiCode =
  | 'malformed_request'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'invalid_request'
  | 'not_found'
  | 'slug_taken'
  | 'conflict'
  | 'managed'
  | 'stale'
  | 'plan_stale'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'limit_reached'
  | 'rate_limited'
  | 'invalid_credentials'
  | 'invalid_session'
  | 'sign_in_again'
  | 'machine_refused'
  | 'temporarily_unavailable'
  | 'token_not_allowed'
  | 'invalid_token'
  | 'sign_up_closed'
  | 'use_company_sign_in'
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
  | 'description_unreachable'
  | 'answer_too_large';

/** A fault in what was sent: where, what, and how to correct it. */
export interface Finding {
  /** JSON pointer (`/paths/~1pets/get`) or `line 3, column 7`; empty for the entire document. */
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

export interface ApiRefusalDetails {
  readonly retryAfterSeconds?: number;
  readonly limit?: string;
  readonly signInAt?: string;
}

const MAX_FINDINGS = 20;

/** Refusal of a management request, with up to 20 findings; the description states the number if there are more. */
export class ApiRefusal extends Refusal<ApiCode> {
  override readonly name = 'ApiRefusal';
  readonly findings: readonly Finding[];
  readonly details: ApiRefusalDetails;

  constructor(
    code: ApiCode,
    description: string,
    found: Finding | readonly Finding[] = [],
    why = description,
    details: ApiRefusalDetails = {},
  ) {
    const findings = 'where' in found ? [found] : found;
    super(code, counted(description, findings.length), why);
    this.findings = findings.slice(0, MAX_FINDINGS);
    this.details = details;
  }
}

const counted = (description: string, count: number): string =>
  count <= MAX_FINDINGS
    ? description
    : `${description} There are ${count} such places; the first ${MAX_FINDINGS} are listed.`;

/** Collects findings, of which only the first 20 are created: there may be millions. */
export interface Findings {
  /** @param make - called only for a finding that is reported */
  readonly add: (make: () => Finding) => void;
  /** @throws ApiRefusal if there is any */
  readonly refuse: (code: ApiCode, description: string) => void;
}

export const collectFindings = (): Findings => {
  const told: Finding[] = [];
  let count = 0;
  return {
    add: (make) => {
      if (told.length < MAX_FINDINGS) told.push(make());
      count += 1;
    },
    refuse: (code, description) => {
      if (count > 0) throw new ApiRefusal(code, counted(description, count), told);
    },
  };
};
