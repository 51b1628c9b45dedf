/**
 * Refusals: the rules speaking. `code` and `description` go on the wire; `why` goes to the log and
 * nowhere else, so that nobody can learn by probing which check failed.
 */
abstract class Refusal extends Error {
  readonly description: string;
  readonly why: string;

  constructor(code: string, description: string, why: string) {
    super(`${code}: ${why}`);
    this.description = description;
    this.why = why;
  }
}

/** Source: JSON-RPC 2.0 §5.1; spec, "JSON-RPC errors"; D5. */
export type RpcCode =
  | 'parse_error'
  | 'invalid_request'
  | 'method_not_found'
  | 'invalid_params'
  | 'resource_not_found'
  | 'server_error';

/** A JSON-RPC request that is answered with an error object. `data` goes on the wire. */
export class RpcRefusal extends Refusal {
  override readonly name = 'RpcRefusal';
  readonly code: RpcCode;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: RpcCode,
    description: string,
    data?: Readonly<Record<string, unknown>>,
    why = description,
  ) {
    super(code, description, why);
    this.code = code;
    this.data = data;
  }
}

/** What an HTTP request to the router can be refused for before JSON-RPC is spoken. */
export type RouterCode =
  | 'bad_request'
  | 'invalid_token'
  | 'missing_token'
  | 'insufficient_scope'
  | 'forbidden_origin'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable';

/** A request that is refused as HTTP: status, JSON body and headers are the table's in `http/errors.ts`. */
export class RouterRefusal extends Refusal {
  override readonly name = 'RouterRefusal';
  readonly code: RouterCode;
  readonly details: RouterRefusalDetails;

  constructor(
    code: RouterCode,
    description: string,
    details: RouterRefusalDetails = {},
    why = description,
  ) {
    super(code, description, why);
    this.code = code;
    this.details = details;
  }
}

/** The id of a request, null where none can be read, or those of a batch. */
export type RpcIds = string | number | null | readonly (string | number | null)[];

export interface RouterRefusalDetails {
  readonly retryAfterSeconds?: number;
  /** The JSON-RPC ids that the error of a 429 repeats; a list for a batch. Source: D5. */
  readonly answersTo?: RpcIds;
  /** Methods for the `Allow` header of a 405. */
  readonly allow?: readonly string[];
  readonly scopes?: readonly string[];
  /** For the challenge of a 401 or 403. Source: RFC 9728 §5.1, D3. */
  readonly resourceMetadataUrl?: string;
}

/**
 * What the authorization server can refuse; the names go on the wire. Closed: the status table checks it.
 *
 * Source: RFC 6749 §4.1.2.1, §5.2; RFC 7591 §3.2.2; RFC 8707 §2; OpenID Connect Core §3.1.2.6. No RFC names the refusal of a 429.
 */
export type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied'
  | 'interaction_required'
  | 'too_many_requests'
  | 'temporarily_unavailable'
  | 'server_error';

/** A client's redirect URI and what stands beside every answer that goes there. Source: RFC 9207; D24. */
export interface ReturnTo {
  readonly redirectUri: string;
  /** Percent-encoded, so that it is returned byte for byte. */
  readonly state?: string;
  readonly issuer: string;
}

export interface OAuthRefusalDetails {
  readonly retryAfterSeconds?: number;
  /** The scheme that the client tried to authenticate with, so that it is challenged in it. Source: D23. */
  readonly challenge?: 'Basic';
  /** Only once client and redirect URI are proven: the browser takes the error there. */
  readonly returnTo?: ReturnTo;
}

/**
 * The caller asked for something that the OAuth rules forbid. Descriptions are ASCII without quotes
 * and backslashes (RFC 6749 §5.2), so they never repeat what was sent.
 */
export class OAuthRefusal extends Refusal {
  override readonly name = 'OAuthRefusal';
  readonly code: OAuthCode;
  readonly details: OAuthRefusalDetails;

  constructor(
    code: OAuthCode,
    description: string,
    why = description,
    details: OAuthRefusalDetails = {},
  ) {
    super(code, description, why);
    this.code = code;
    this.details = details;
  }
}

/** Source: management-api.md; tools.md, "Refusals at publication". Closed: the status table checks it. */
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
  readonly mend: string;
}

export interface ApiRefusalDetails {
  readonly retryAfterSeconds?: number;
  /** The limit that was reached, by its one name. */
  readonly limit?: string;
}

/** A management request that breaks a rule. At most 20 findings. */
export class ApiRefusal extends Refusal {
  override readonly name = 'ApiRefusal';
  readonly code: ApiCode;
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
    this.code = code;
    this.findings = findings;
    this.details = details;
  }
}

/** What a person at a browser can be refused. Closed: the tables of statuses and titles check it. */
export type PageCode =
  'unknown_client' | 'unregistered_redirect_uri' | 'ended_ticket' | 'foreign_form';

/** A browser that is answered with a page, because there is nobody proven to send it on to. Source: A1, D24. */
export class PageRefusal extends Refusal {
  override readonly name = 'PageRefusal';
  readonly code: PageCode;

  constructor(code: PageCode, description: string, why = description) {
    super(code, description, why);
    this.code = code;
  }
}
