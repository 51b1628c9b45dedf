import { Refusal } from './refusal.ts';

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

/** A client's redirect URI and what stands beside every answer that goes there. Source: RFC 9207. */
export interface ReturnTo {
  readonly redirectUri: string;
  /** Percent-encoded, so that it is returned byte for byte. */
  readonly state?: string;
  readonly issuer: string;
}

export interface OAuthRefusalDetails {
  readonly retryAfterSeconds?: number;
  /** The scheme that the client tried to authenticate with, so that it is challenged in it. Source: RFC 6749 §5.2. */
  readonly challenge?: 'Basic';
  /** Only once client and redirect URI are proven: the browser takes the error there. */
  readonly returnTo?: ReturnTo;
  /** What is wrong with the client is wrong with its metadata document: it could not be had, or not used. */
  readonly document?: 'unreachable' | 'unusable';
}

/**
 * The caller asked for something that the OAuth rules forbid. Descriptions are ASCII without quotes
 * and backslashes (RFC 6749 §5.2), so they never repeat what was sent.
 */
export class OAuthRefusal extends Refusal<OAuthCode> {
  override readonly name = 'OAuthRefusal';
  readonly details: OAuthRefusalDetails;

  constructor(
    code: OAuthCode,
    description: string,
    why = description,
    details: OAuthRefusalDetails = {},
  ) {
    super(code, description, why);
    this.details = details;
  }
}
