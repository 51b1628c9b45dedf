import { ApiRefusal } from './refusal/api-refusal.ts';
import { PageRefusal } from './refusal/page-refusal.ts';
import { RouterRefusal } from './refusal/router-refusal.ts';

const SCHEME = '[a-z][a-z0-9+.-]*';
const HOST = String.raw`(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])`;
const WELL_FORMED = new RegExp(`^(?:null|${SCHEME}://${HOST}(?::[0-9]{1,5})?)$`, 'i');
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i;

/**
 * Browsers name the page that a request comes from; other clients send nothing and pass. `null` is
 * well-formed (a sandboxed frame, a file), so that only a list of allowed origins keeps it out.
 *
 * @param allowed - empty: any well-formed origin
 * @throws RouterRefusal forbidden_origin
 *
 * Source: RFC 6454 §7; MCP 2025-03-26, "Security Warning"; docs/protocol.md, "Browser clients".
 */
export const checkOrigin = (origin: string | undefined, allowed: readonly string[]): void => {
  if (origin === undefined) return;
  if (!WELL_FORMED.test(origin)) throw forbidden('malformed Origin');
  if (allowed.length > 0 && !isAmong(allowed, origin)) throw forbidden('Origin not allowed');
};

/**
 * The same where a service on somebody's own machine asks for no token: whatever page they have open could
 * drive it, so that pages of this machine alone may, and those that are listed.
 *
 * @throws RouterRefusal forbidden_origin
 *
 * Source: MCP 2025-03-26, "Security Warning"; docs/decisions/mcp.md, "Pages and local deployments".
 */
export const checkLocalOrigin = (origin: string | undefined, added: readonly string[]): void => {
  if (origin === undefined) return;
  if (!WELL_FORMED.test(origin)) throw forbidden('malformed Origin');
  if (!LOOPBACK.test(origin) && !isAmong(added, origin)) throw forbidden('Origin not of loopback');
};

/** Whether an operator or owner may list it. @param text - anything */
export const isOrigin = (text: string): boolean =>
  WELL_FORMED.test(text) && text.toLowerCase() !== 'null';

const isAmong = (origins: readonly string[], origin: string): boolean => {
  const wanted = origin.toLowerCase();
  return origins.some((one) => one.toLowerCase() === wanted);
};

const forbidden = (why: string) =>
  new RouterRefusal(
    'forbidden_origin',
    'Requests from this origin are not accepted here.',
    {},
    why,
  );

/** What a browser says about the page that a form was posted from. */
interface FormOrigin {
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

/** @returns `null` for what is no address, which is the origin of nothing. Source: RFC 6454 §6.1. */
export const originOf = (address: string): string => URL.parse(address)?.origin ?? 'null';
