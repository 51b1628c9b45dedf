import { isHeaderName } from '../../target/rules/protected-headers.ts';

/**
 * Headers about connection, message or sender, and cookies, which are configured otherwise. `authorization` is allowed,
 * since many keys are sent in it. Source: RFC 9110 §7.6.1; docs/outgoing-calls.md, "Headers".
 */
const FORBIDDEN =
  /^(?:accept|accept-encoding|connection|content-encoding|content-length|content-type|cookie|date|expect|forwarded|host|http2-settings|keep-alive|range|te|trailer|transfer-encoding|upgrade|via|x-real-ip|(?:proxy|sec|x-forwarded)(?:-.*)?)$/i;

export const isForbiddenHeader = (name: string): boolean => FORBIDDEN.test(name);

export const isCredentialHeader = (name: string): boolean =>
  isHeaderName(name) && !isForbiddenHeader(name);

/** ASCII, since servers disagree on any other encoding; no outer spaces, which servers drop. Source: RFC 9110 §5.5. */
export const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
