import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';

/** Source: docs/decisions/oauth.md, "Scopes". */
export const TOOL_SCOPES = ['mcp.tools.read', 'mcp.tools.execute'] as const;
export type ToolScope = (typeof TOOL_SCOPES)[number];

/** In the order of `TOOL_SCOPES`, without duplicates. */
export const toolScopesAmong = (names: readonly string[]): readonly ToolScope[] =>
  TOOL_SCOPES.filter((scope) => names.includes(scope));

/** These patterns match in linear time. A quotation without an end extends to the end of the text. */
const QUOTED = /"(?:[^"\\]|\\[^])*(?:"|\\?$)/g;
const PARAMETER = /^\s*[!#$%&'*+.^_`|~\w-]+\s*=/;
const BEARER = /^bearer(?: +(?<token>.*))?$/is;

/**
 * Refuses several sets of credentials. The gateway joins repeated headers with a comma, which no bearer token
 * contains. Between parameters of one set (Digest) a comma separates `name=value` pairs.
 * @throws RouterRefusal bad_request. Source: RFC 9110 §5.3, §11.4; docs/protocol.md, "Authorization header".
 */
export const checkSingle = (authorization: string | undefined): void => {
  const [, ...rest] = (authorization ?? '').replace(QUOTED, '').split(',');
  if (rest.every((part) => PARAMETER.test(part))) return;
  throw new RouterRefusal('bad_request', 'Send one Authorization header.');
};

/**
 * The token of an `Authorization: Bearer` header; the scheme is case-insensitive.
 * @returns undefined without the header; empty (never a valid token) for the scheme alone. Source: RFC 6750 §2.1.
 */
export const bearerToken = (authorization: string | undefined): string | undefined => {
  const match = BEARER.exec(authorization?.trim() ?? '');
  return match ? (match.groups?.['token'] ?? '') : undefined;
};

/**
 * A token that is not valid here. `why` is for the log only and contains nothing of the token; the catcher knows
 * which challenge to answer.
 */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.why = why;
  }
}

/** A token that was valid here once, so that whoever presents it is not guessing. */
export class EndedToken extends InvalidToken {}
