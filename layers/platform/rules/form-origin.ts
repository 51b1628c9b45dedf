import { ApiRefusal } from './refusal/api-refusal.ts';
import { PageRefusal } from './refusal/page-refusal.ts';

/** What a browser says about the page that a form was posted from. */
export interface FormOrigin {
  readonly origin: string | undefined;
  /** The header `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined;
}

/**
 * Refuses forms that do not come from one of our own pages, or from a program that is no browser.
 * Pages without a referrer post with `Origin: null`, as do sandboxed frames of strangers: only the
 * other header tells them apart.
 *
 * @param own - the origin of the base URL
 * @throws PageRefusal foreign_form
 *
 * Source: RFC 6454 §7; W3C Fetch Metadata; docs/decisions/oauth.md, "Forms of the pages".
 */
export const checkFormOrigin = ({ origin, fetchSite }: FormOrigin, own: string): void => {
  if (fetchSite === 'cross-site' || fetchSite === 'same-site') throw foreign('another site');
  if (origin === undefined || origin === own) return;
  if (origin !== 'null') throw foreign('another origin');
  if (fetchSite !== 'same-origin') throw foreign('no origin, and not said to be of ours');
};

/**
 * The same for what scripts of our own pages fetch with a cookie, more strictly: every browser says with a
 * POST where it comes from, so that who says nothing is none, and needs no cookie.
 *
 * @throws ApiRefusal foreign_origin
 *
 * Source: docs/decisions/accounts.md, "Sessions of the console".
 */
export const checkScriptOrigin = ({ origin, fetchSite }: FormOrigin, own: string): void => {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') throw foreignScript('another site');
  if (origin === own) return;
  if (origin !== undefined && origin !== 'null') throw foreignScript('another origin');
  if (fetchSite === undefined) throw foreignScript('no origin');
};

const foreignScript = (why: string) =>
  new ApiRefusal('foreign_origin', 'Only pages of this service may ask for this.', [], why);

const foreign = (why: string) =>
  new PageRefusal('foreign_form', 'The form was not sent from a page of this service.', why);
