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
