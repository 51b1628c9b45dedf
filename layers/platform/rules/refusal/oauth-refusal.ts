import { Refusal } from './refusal.ts';

/**
 * Error codes of the authorization server, as sent. The status table must have them all. No RFC defines a code for 429.
 * Source: RFC 6749 §4.1.2.1, §5.2; RFC 7591 §3.2.2; RFC 8707 §2; OpenID Connect Core §3.1.2.6.
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

/** Redirect URI of a client, with the parameters that every answer there has. Source: RFC 9207. */
export interface ReturnTo {
  readonly redirectUri: string;
  /** Percent-encoded, so that it is returned byte by byte. */
  readonly state?: string;
  readonly issuer: string;
}

export interface OAuthRefusalDetails {
  readonly retryAfterSeconds?: number;
  /** Scheme of the client's authentication attempt, for the challenge. Source: RFC 6749 §5.2. */
  readonly challenge?: 'Basic';
  /** Redirects the error there; only after client and redirect URI are verified. */
  readonly returnTo?: ReturnTo;
  /** The client's metadata document could not be fetched, or is invalid. */
  readonly document?: 'unreachable' | 'unusable';
}

/** Descriptions must be ASCII without quotes and backslashes (RFC 6749 §5.2), so they never contain input. */
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
