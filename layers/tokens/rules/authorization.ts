import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';

/** Each pattern has one way to read a text, whatever it is. A quotation that has no end takes the rest. */
const QUOTED = /"(?:[^"\\]|\\[^])*(?:"|\\?$)/g;
const PARAMETER = /^\s*[!#$%&'*+.^_`|~\w-]+\s*=/;
const BEARER = /^bearer(?: +(?<token>.*))?$/is;

/**
 * Refuses two sets of credentials. The gateway joins repeated headers with a comma, which no single
 * bearer token contains; between the parameters of one set (Digest) it separates `name=value` pairs.
 *
 * @throws RouterRefusal bad_request
 *
 * Source: RFC 9110 §5.3, §11.4; docs/protocol.md, "Authorization header".
 */
export const checkSingle = (authorization: string | undefined): void => {
  const [, ...rest] = (authorization ?? '').replace(QUOTED, '').split(',');
  if (rest.every((part) => PARAMETER.test(part))) return;
  throw new RouterRefusal('bad_request', 'Send one Authorization header.');
};

/**
 * The token of an `Authorization: Bearer` header, the scheme in any case.
 *
 * @returns undefined if none was sent; an empty string, which no token is, if only the scheme was
 *
 * Source: RFC 6750 §2.1.
 */
export const bearerToken = (authorization: string | undefined): string | undefined => {
  const match = BEARER.exec(authorization?.trim() ?? '');
  return match ? (match.groups?.['token'] ?? '') : undefined;
};
