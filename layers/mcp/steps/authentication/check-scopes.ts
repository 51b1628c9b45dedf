import { RouterRefusal } from '../../../platform/rules/refusal/router-refusal.ts';
import { TOOL_SCOPES, type ToolScope } from '../../../openapi/tool-scopes.ts';
import type { Caller } from '../calls/caller.ts';

/**
 * Whether a caller may do all that a request asks for. A batch is refused whole if one of its messages
 * lacks a scope: half of it done would be hard to repeat with another token.
 *
 * The challenge names what is needed and what the token has already: clients ask for just what they
 * read there, and would otherwise trade one scope for the other.
 *
 * @throws RouterRefusal insufficient_scope
 *
 * Source: RFC 6750 §3.1; docs/decisions/oauth.md, "Scopes".
 */
export const checkScopes = (caller: Caller, needed: readonly ToolScope[]): void => {
  if (caller.kind === 'anonymous') return;
  const { scopes, resourceMetadataUrl } = caller;
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  throw new RouterRefusal('insufficient_scope', `The token lacks: ${missing.join(', ')}.`, {
    scopes: TOOL_SCOPES.filter((scope) => needed.includes(scope) || scopes.includes(scope)),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
  });
};
