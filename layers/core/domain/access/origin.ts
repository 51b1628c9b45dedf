import { RouterRefusal } from '../refusal.ts';

const SCHEME = '[a-z][a-z0-9+.-]*';
const HOST = String.raw`(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])`;
const WELL_FORMED = new RegExp(`^(?:null|${SCHEME}://${HOST}(?::[0-9]{1,5})?)$`, 'i');

/**
 * Browsers name the page that a request comes from; other clients send nothing and pass. `null` is
 * well-formed (a sandboxed frame, a file), so that only a list of allowed origins keeps it out.
 *
 * @param allowed - empty: any well-formed origin
 * @throws RouterRefusal forbidden_origin
 *
 * Source: RFC 6454 §7; MCP 2025-03-26, "Security Warning"; T7.
 */
export const checkOrigin = (origin: string | undefined, allowed: readonly string[]): void => {
  if (origin === undefined) return;
  if (!WELL_FORMED.test(origin)) throw forbidden('malformed Origin');
  if (allowed.length === 0) return;
  const wanted = origin.toLowerCase();
  if (!allowed.some((one) => one.toLowerCase() === wanted)) throw forbidden('Origin not allowed');
};

const forbidden = (why: string) =>
  new RouterRefusal(
    'forbidden_origin',
    'Requests from this origin are not accepted here.',
    {},
    why,
  );
