import { Refusal } from './refusal.ts';

/** Codes of errors shown to a person in a browser. The tables of statuses and titles must have them all. */
export type PageCode =
  | 'unknown_client'
  /** Metadata document of a client could not be fetched. */
  | 'unreachable_document'
  | 'unusable_document'
  | 'unregistered_redirect_uri'
  | 'refused_request'
  | 'ended_ticket'
  | 'foreign_form'
  /** Sign-in for a command line that waits on the same machine. */
  | 'refused_command_line'
  /** The rest: for company sign-in. */
  | 'unknown_provider'
  | 'sign_in_ended'
  | 'sign_in_unavailable'
  | 'sign_in_misconfigured'
  | 'sign_in_refused'
  | 'no_account';

/** Error page, shown where there is no trusted client to redirect to. Source: RFC 6749 §4.1.2.1; RFC 9700 §4.11.2. */
export class PageRefusal extends Refusal<PageCode> {
  override readonly name = 'PageRefusal';

  /** Redirect URI with the error, which the person may choose to follow. */
  readonly wayBack: string | undefined;

  constructor(code: PageCode, description: string, why = description, wayBack?: string) {
    super(code, description, why);
    this.wayBack = wayBack;
  }
}
