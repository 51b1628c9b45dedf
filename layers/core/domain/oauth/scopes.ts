import { OAuthRefusal } from '../refusal.ts';
import { toolScopesAmong } from '../tool-scopes.ts';
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
 * The names of a `scope` that mean something here. Others are left out: clients ask for what other services
 * have, `offline_access` above all, and know from the answer's `scope` what they were given. A name that begins
 * as ours do is a slip, which nobody would find if it were left out.
 *
 * @throws OAuthRefusal invalid_scope
 *
 * Source: RFC 6749 §3.3; docs/decisions.md, "Scopes".
 */
export const scopesMeant = (text: string): readonly Scope[] => {
  const misspelt = splitScopes(text).some((name) => /^mcp\./i.test(name) && !isScope(name));
  if (!misspelt) return knownScopes(text);
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
 * that it is read as then: names that mean nothing here are left out, and who names no right at the server
 * keeps those that were granted.
 *
 * @throws OAuthRefusal invalid_scope
 *
 * Source: RFC 6749 §6.
 */
export const narrowScopes = (
  granted: readonly Scope[],
  asked: string | undefined,
): readonly Scope[] => {
  const names = scopesMeant(asked ?? '');
  if (names.length === 0) return granted;
  const isKept = (scope: Scope) =>
    names.includes(scope) ||
    (toolScopesAmong(names).length === 0 && toolScopesAmong([scope]).length > 0);
  if (names.every((name) => granted.includes(name))) return granted.filter(isKept);
  throw new OAuthRefusal('invalid_scope', 'The scope exceeds what was granted.');
};
