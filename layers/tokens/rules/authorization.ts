import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';

/** What a token may be asked to do at an MCP server. Source: docs/decisions/oauth.md, "Scopes". */
export const TOOL_SCOPES = ['mcp.tools.read', 'mcp.tools.execute'] as const;
export type ToolScope = (typeof TOOL_SCOPES)[number];

/** Those of some names that are tool scopes, each once, in the service's order. */
export const toolScopesAmong = (names: readonly string[]): readonly ToolScope[] =>
  TOOL_SCOPES.filter((scope) => names.includes(scope));

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

/**
 * A bearer token that opens nothing here. `why` goes to the log and nowhere else, and so holds
 * nothing of the token; whoever catches this knows the challenge to answer with.
 */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.why = why;
  }
}

/** One that was issued for the place where it is shown, and opens nothing any more: whoever shows it has not guessed. */
export class EndedToken extends InvalidToken {}
