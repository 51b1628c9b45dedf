import { OAuthRefusal } from '../refusal.ts';
import { type Scope, SCOPES } from './records.ts';

/**
 * Splits a `scope`: names between spaces, or between pluses, which arrive where a client encoded its
 * query twice.
 *
 * Source: RFC 6749 §3.3; docs/decisions.md, "Authorization requests".
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
 * The scopes of one refresh: those that were granted, or fewer.
 *
 * @throws OAuthRefusal invalid_scope
 *
 * Source: RFC 6749 §6.
 */
export const narrowScopes = (
  granted: readonly Scope[],
  asked: string | undefined,
): readonly Scope[] => {
  if (asked === undefined) return granted;
  const names = new Set(splitScopes(asked));
  const scopes = granted.filter((scope) => names.has(scope));
  if (scopes.length > 0 && scopes.length === names.size) return scopes;
  throw new OAuthRefusal('invalid_scope', 'The scope exceeds what was granted.');
};
