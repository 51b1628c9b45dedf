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

export const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);

/** Those that the service knows, each once, in the service's order. */
export const knownScopes = (text: string): readonly Scope[] => {
  const names = new Set(splitScopes(text));
  return SCOPES.filter((scope) => names.has(scope));
};

/**
 * What clients ask of any server, whether or not it announces it: scopes of OpenID Connect that this service does
 * not have, and what Claude asks where it has read of no scopes.
 */
const SCOPES_LEFT_OUT = ['address', 'claudeai', 'offline_access', 'phone'];

/**
 * The scopes that a request names, without those that clients ask of any server: refresh tokens are issued without
 * `offline_access`, and the answer's `scope` says what was granted.
 *
 * @throws OAuthRefusal invalid_scope for any other name that is unknown, which is a mistake that nobody would find
 * if it were left out
 *
 * Source: RFC 6749 §3.3; OpenID Connect Core 1.0 §5.4, §11; docs/decisions/oauth.md, "Scopes".
 */
export const readScopes = (text: string): readonly Scope[] => {
  const isKnown = (name: string) => isScope(name) || SCOPES_LEFT_OUT.includes(name);
  if (splitScopes(text).every(isKnown)) return knownScopes(text);
  throw new OAuthRefusal(
    'invalid_scope',
    `The scope names something that is not known here. There are: ${SCOPES.join(' ')}.`,
  );
};

/**
 * The scopes of a token for an identity assertion: those that the assertion grants, no more than the client may
 * ever have, and no more than it asks for.
 *
 * @param registered - asked for at the client's registration; empty: not said
 * @throws OAuthRefusal invalid_scope if none is left
 *
 * Source: Enterprise-Managed Authorization (SEP-990), "Scopes Validation".
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
  const names = readScopes(asked ?? '');
  if (names.length === 0) return granted;
  const isKept = (scope: Scope) =>
    names.includes(scope) ||
    (toolScopesAmong(names).length === 0 && toolScopesAmong([scope]).length > 0);
  if (names.every((name) => granted.includes(name))) return granted.filter(isKept);
  throw new OAuthRefusal('invalid_scope', 'The scope exceeds what was granted.');
};
