import { ApiRefusal } from './refusal/api-refusal.ts';
import { PageRefusal } from './refusal/page-refusal.ts';
import { RouterRefusal } from './refusal/router-refusal.ts';

const SCHEME = '[a-z][a-z0-9+.-]*';
const HOST = String.raw`(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])`;
const WELL_FORMED = new RegExp(`^(?:null|${SCHEME}://${HOST}(?::[0-9]{1,5})?)$`, 'i');
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i;

/**
 * Browsers send the origin of the requesting page; requests of other clients have none and pass. `null` (a sandboxed
 * frame, a file) is well-formed and only refused where a list of allowed origins exists.
 * @param allowed - empty: any well-formed origin
 * @throws RouterRefusal forbidden_origin
 * Source: RFC 6454 §7; MCP 2025-03-26, "Security Warning"; docs/protocol.md, "Browser clients".
 */
export const checkOrigin = (origin: string | undefined, allowed: readonly string[]): void => {
  if (origin === undefined) return;
  if (!WELL_FORMED.test(origin)) throw forbidden('malformed Origin');
  if (allowed.length > 0 && !isAmong(allowed, origin)) throw forbidden('Origin not allowed');
};

/**
 * Stricter check for a local service without tokens: any page open in the browser could call it, so only pages of this
 * machine and listed ones may.
 * @throws RouterRefusal forbidden_origin
 * Source: MCP 2025-03-26, "Security Warning"; docs/decisions/mcp.md, "Pages and local deployments".
 */
export const checkLocalOrigin = (origin: string | undefined, added: readonly string[]): void => {
  if (origin === undefined) return;
  if (!WELL_FORMED.test(origin)) throw forbidden('malformed Origin');
  if (!LOOPBACK.test(origin) && !isAmong(added, origin)) throw forbidden('Origin not of loopback');
};

/** Whether operators or owners may list it; excludes `null`. */
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

/** Headers with which a browser identifies the page that posted a form. */
interface FormOrigin {
  readonly origin: string | undefined;
  /** Header `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined;
}

/**
 * Refuses forms that browsers post from pages of other sites. Pages without a referrer post `Origin: null`, and so do
 * sandboxed frames of strangers; only `Sec-Fetch-Site` distinguishes them.
 * @param own - origin of the base URL
 * @throws PageRefusal foreign_form
 * Source: RFC 6454 §7; W3C Fetch Metadata; docs/decisions/oauth.md, "Forms of the pages".
 */
export const checkFormOrigin = ({ origin, fetchSite }: FormOrigin, own: string): void => {
  if (fetchSite === 'cross-site' || fetchSite === 'same-site') throw foreign('another site');
  if (origin === undefined || origin === own) return;
  if (origin !== 'null') throw foreign('another origin');
  if (fetchSite !== 'same-origin') throw foreign('no origin, and not said to be of ours');
};

/**
 * Stricter check for requests of our pages' scripts, which send the session cookie: browsers send an origin with every
 * POST: a request without one is not from a browser and needs no cookie.
 * @throws ApiRefusal foreign_origin
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

/** @returns `null`, which matches no origin, for text that is no URL. Source: RFC 6454 §6.1. */
export const originOf = (address: string): string => URL.parse(address)?.origin ?? 'null';
