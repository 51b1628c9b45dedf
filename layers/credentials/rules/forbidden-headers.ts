import { isHeaderName } from '../../target/rules/protected-headers.ts';

/**
 * Headers that decide about the connection, the message or the sender. `cookie` has a place of its own,
 * `authorization` is what many keys are sent in.
 *
 * Source: RFC 9110 §7.6.1; docs/outgoing-calls.md, "Headers".
 */
const FORBIDDEN =
  /^(?:accept|accept-encoding|connection|content-encoding|content-length|content-type|cookie|date|expect|forwarded|host|http2-settings|keep-alive|range|te|trailer|transfer-encoding|upgrade|via|x-real-ip|(?:proxy|sec|x-forwarded)(?:-.*)?)$/i;

export const isForbiddenHeader = (name: string): boolean => FORBIDDEN.test(name);

/** Whether a header may carry what somebody has chosen to show. */
export const isCredentialHeader = (name: string): boolean =>
  isHeaderName(name) && !isForbiddenHeader(name);
