import { OAuthRefusal } from '../../platform/rules/refusal/oauth-refusal.ts';
import { toolScopesAmong } from './authorization.ts';
import { type Scope, SCOPES } from './oauth-records.ts';

/**
 * Splits a `scope` at spaces, and at pluses, which clients send that encode their query twice. Source: RFC 6749 §3.3;
 * docs/decisions/oauth.md, "Authorization requests".
 */
export const splitScopes = (text: string): readonly string[] =>
  text.split(/[ +]/).filter((name) => name !== '');

/**
 * Drops unknown scopes, since clients request scopes of other servers; the answer's `scope` says what was granted.
 * Source: RFC 6749 §3.3; docs/decisions/oauth.md, "Scopes".
 */
export const knownScopes = (text: string): readonly Scope[] => {
  const names = new Set(splitScopes(text));
  return SCOPES.filter((scope) => names.has(scope));
};

/**
 * Requests a refresh token. It is stored apart from the scopes, since former versions cannot read it among them.
 * Source: OpenID Connect Core 1.0 §11.
 */
export const OFFLINE_ACCESS = 'offline_access';

export const asksOfflineAccess = (text: string | undefined): boolean =>
  splitScopes(text ?? '').includes(OFFLINE_ACCESS);

/** `scope` of an answer. */
export const scopeText = (scopes: readonly Scope[], offlineAccess: boolean): string =>
  [...scopes, ...(offlineAccess ? [OFFLINE_ACCESS] : [])].join(' ');

/**
 * Scopes of a token for an identity assertion: granted by the assertion, allowed by the registration, and requested.
 * @param registered - of the client's registration; empty: no limit
 * @throws OAuthRefusal invalid_scope if none is left
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
 * Scopes of a refresh: the granted ones, or fewer. Clients repeat the scopes of their first request, so that a
 * request without any tool scope keeps the granted tool scopes.
 * @throws OAuthRefusal invalid_scope. Source: RFC 6749 §6.
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
