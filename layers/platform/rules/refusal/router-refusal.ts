import { Refusal } from './refusal.ts';

/** Codes of HTTP refusals by the router, before JSON-RPC begins. */
export type RouterCode =
  | 'bad_request'
  | 'invalid_token'
  | 'missing_token'
  | 'insufficient_scope'
  | 'forbidden'
  | 'forbidden_origin'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable';

/** A refusal as HTTP; `http/errors.ts` maps it to status, body and headers. */
export class RouterRefusal extends Refusal<RouterCode> {
  override readonly name = 'RouterRefusal';
  readonly details: RouterRefusalDetails;

  constructor(
    code: RouterCode,
    description: string,
    details: RouterRefusalDetails = {},
    why = description,
  ) {
    super(code, description, why);
    this.details = details;
  }
}

/** Answer for unknown addresses, and for hidden ones to those who may not see them. */
export const nothingThere = (why: string): RouterRefusal =>
  new RouterRefusal('not_found', 'There is nothing at this address.', {}, why);

/** Id of a request, null if unreadable, or the ids of a batch. */
export type RpcIds = string | number | null | readonly (string | number | null)[];

export interface RouterRefusalDetails {
  readonly retryAfterSeconds?: number;
  /** JSON-RPC ids for the errors of a 429; a list for a batch. */
  readonly answersTo?: RpcIds;
  readonly allow?: readonly string[];
  readonly scopes?: readonly string[];
  /** Sent in the challenge of a 401 or 403. Source: RFC 9728 §5.1. */
  readonly resourceMetadataUrl?: string;
}
