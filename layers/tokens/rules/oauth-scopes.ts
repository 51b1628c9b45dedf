import { OAuthRefusal } from '../../platform/rules/refusal/oauth-refusal.ts';
import { toolScopesAmong } from './authorization.ts';
import { type Scope, SCOPES } from './oauth-records.ts';

/**
 * Splits a `scope`: names between spaces, or between pluses, which arrive where a client encoded its
 * query twice.
 *
 * Source: RFC 6749 §3.3; docs/decisions/oauth.md, "Authorization requests".
 */
export const splitScopes = (text: string): readonly string[] =>
  text.split(/[ +]/).filter((name) => name !== '');

/**
 * Those that the service knows, each once, in the service's order. Others are left out: clients ask for some of any
 * server, and the answer's `scope` says what was granted.
 *
 * Source: RFC 6749 §3.3; docs/decisions/oauth.md, "Scopes".
 */
export const knownScopes = (text: string): readonly Scope[] => {
  const names = new Set(splitScopes(text));
  return SCOPES.filter((scope) => names.has(scope));
};

/**
 * What asks for a refresh token. It is no right, and stands apart from the others: versions before could not read it
 * among them.
 *
 * Source: OpenID Connect Core 1.0 §11.
 */
export const OFFLINE_ACCESS = 'offline_access';

/** @param text - as it was sent, if it was */
export const asksOfflineAccess = (text: string | undefined): boolean =>
  splitScopes(text ?? '').includes(OFFLINE_ACCESS);

/** A `scope` as it is answered. */
export const scopeText = (scopes: readonly Scope[], offlineAccess: boolean): string =>
  [...scopes, ...(offlineAccess ? [OFFLINE_ACCESS] : [])].join(' ');

/**
 * The scopes of a token for an identity assertion: those that the assertion grants, no more than the client may
 * ever have, and no more than it asks for.
 *
 * @param registered - asked for at the client's registration; empty: not said
 * @throws OAuthRefusal invalid_scope if none is left
 *
 * Source: MCP extension Enterprise-Managed Authorization, "Scopes Validation".
 */
export const assertedScopes = (
  asserted: readonly Scope[],
  registered: readonly Scope[],
  asked: string | undefined,
): readonly Scope[] => {
  const names = asked === undefined ? asserted : knownScopes(asked);
  const scopes = asserted.filter(
    (scope) => names.includes(scope) && (registered.length === 0 || registered.includes(scope)),
  );
  if (scopes.length > 0) return scopes;
  throw new OAuthRefusal('invalid_scope', 'The assertion grants none of these scopes.');
};

/**
 * The scopes of one refresh: those that were granted, or fewer. Clients repeat what they asked for at first, so
 * that it is read as then: who names none of `mcp.tools.read` and `mcp.tools.execute` keeps those that were granted.
 *
 * @throws OAuthRefusal invalid_scope
 *
 * Source: RFC 6749 §6.
 */
export const narrowScopes = (
  granted: readonly Scope[],
  asked: string | undefined,
): readonly Scope[] => {
  const names = knownScopes(asked ?? '');
  if (names.length === 0) return granted;
  const isKept = (scope: Scope) =>
    names.includes(scope) ||
    (toolScopesAmong(names).length === 0 && toolScopesAmong([scope]).length > 0);
  if (names.every((name) => granted.includes(name))) return granted.filter(isKept);
  throw new OAuthRefusal('invalid_scope', 'The scope exceeds what was granted.');
};
