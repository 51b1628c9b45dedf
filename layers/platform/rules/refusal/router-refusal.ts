import { Refusal } from './refusal.ts';

/** What an HTTP request to the router can be refused for before JSON-RPC is spoken. */
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

/** A request that is refused as HTTP: status, JSON body and headers are the table's in `http/errors.ts`. */
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

/** As every address answers that there is not, and every one that is not there for whoever asks. */
export const nothingThere = (why: string): RouterRefusal =>
  new RouterRefusal('not_found', 'There is nothing at this address.', {}, why);

/** The id of a request, null where none can be read, or those of a batch. */
export type RpcIds = string | number | null | readonly (string | number | null)[];

export interface RouterRefusalDetails {
  readonly retryAfterSeconds?: number;
  /** The JSON-RPC ids that the error of a 429 repeats; a list for a batch. */
  readonly answersTo?: RpcIds;
  /** Methods for the `Allow` header of a 405. */
  readonly allow?: readonly string[];
  readonly scopes?: readonly string[];
  /** For the challenge of a 401 or 403. Source: RFC 9728 §5.1. */
  readonly resourceMetadataUrl?: string;
}
