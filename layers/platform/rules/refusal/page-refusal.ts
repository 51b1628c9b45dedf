import { Refusal } from './refusal.ts';

/** What a person at a browser can be refused. Closed: the tables of statuses and titles check it. */
export type PageCode =
  | 'unknown_client'
  /** Of a client that names a document of its own. */
  | 'unreachable_document'
  | 'unusable_document'
  | 'unregistered_redirect_uri'
  | 'refused_request'
  | 'ended_ticket'
  | 'foreign_form'
  /** Of a program at a command line that waits for somebody to sign in. */
  | 'refused_command_line'
  /** Of somebody who signs in with their company. */
  | 'unknown_provider'
  | 'sign_in_ended'
  | 'sign_in_unavailable'
  | 'sign_in_misconfigured'
  | 'sign_in_refused'
  | 'no_account';

/** A browser that is answered with a page, because there is nobody to send it on to who is trusted. Source: RFC 6749 §4.1.2.1; RFC 9700 §4.11.2. */
export class PageRefusal extends Refusal<PageCode> {
  override readonly name = 'PageRefusal';

  /** Where the person may choose to go: what the client would be told there is part of it. */
  readonly wayBack: string | undefined;

  constructor(code: PageCode, description: string, why = description, wayBack?: string) {
    super(code, description, why);
    this.wayBack = wayBack;
  }
}
