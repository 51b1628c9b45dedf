import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import { TOOL_SCOPES } from '../../../tokens/rules/authorization.ts';
import {
  optionalParameter,
  requiredParameter,
  type SentParameters,
} from '../../../platform/rules/sent-parameters.ts';
import { isChallenge } from './authorization-code.ts';
import { type Scope, SCOPES } from '../../../tokens/rules/oauth-records.ts';
import { knownScopes } from '../../../tokens/rules/oauth-scopes.ts';

/** Longer than any client's, and short enough that servers accept the URL of the redirect. */
const MAX_STATE_LENGTH = 4096;

/**
 * `state` is echoed byte for byte, so only its length is checked.
 * @param state - as `encodedState` read it
 * @throws OAuthRefusal invalid_request
 */
export const checkState = (sent: SentParameters, state = ''): void => {
  optionalParameter(sent, 'state');
  if (state.length > MAX_STATE_LENGTH) throw invalid('The state is too long.');
};

/** @throws OAuthRefusal invalid_request, unsupported_response_type. Source: OAuth 2.1 §4.1.1. */
export const checkResponseType = (sent: SentParameters): void => {
  if (requiredParameter(sent, 'response_type') === 'code') return;
  throw new OAuthRefusal('unsupported_response_type', 'The response type must be code.');
};

/** A missing method means `plain`, which is refused. @throws OAuthRefusal invalid_request. Source: RFC 7636 §4.3. */
export const readCodeChallenge = (sent: SentParameters): string => {
  const challenge = requiredParameter(sent, 'code_challenge');
  const method = optionalParameter(sent, 'code_challenge_method') ?? 'plain';
  if (method !== 'S256') throw invalid('The code challenge method must be S256.');
  if (!isChallenge(challenge)) throw invalid('The code challenge is malformed.');
  return challenge;
};

/**
 * The scopes that the user is asked for. A client that asks for no scope at the server gets both tool scopes: its
 * token would be useless otherwise. Scopes beyond the registration are dropped, which the token answer's `scope`
 * shows.
 * @param registered - scopes of the client's registration, the most it can get; empty: no limit
 * @throws OAuthRefusal invalid_request; invalid_scope if none of them is registered
 * Source: RFC 6749 §3.3; RFC 7591 §2; docs/decisions/oauth.md, "Scopes".
 */
export const readRequestedScopes = (
  sent: SentParameters,
  registered: readonly Scope[],
): readonly Scope[] => {
  const asked = optionalParameter(sent, 'scope');
  const names = new Set(asked === undefined ? registered : knownScopes(asked));
  if (!TOOL_SCOPES.some((scope) => names.has(scope))) TOOL_SCOPES.forEach((one) => names.add(one));
  const isRegistered = (scope: Scope) => registered.length === 0 || registered.includes(scope);
  const scopes = SCOPES.filter((scope) => names.has(scope) && isRegistered(scope));
  if (scopes.length > 0) return scopes;
  throw new OAuthRefusal('invalid_scope', 'The client has registered for none of these scopes.');
};

/** Long enough for clients that send a hash or a JWT as nonce. */
const MAX_NONCE_LENGTH = 1024;

/**
 * `nonce`, which the ID token repeats: it binds the token to this request.
 * @throws OAuthRefusal invalid_request. Source: OpenID Connect Core 1.0 §3.1.2.1.
 */
export const readNonce = (sent: SentParameters): string | undefined => {
  const nonce = optionalParameter(sent, 'nonce');
  if ((nonce ?? '').length > MAX_NONCE_LENGTH) throw invalid('The nonce is too long.');
  return nonce;
};

/**
 * Refuses `prompt=none`: consent is never skipped, so that nothing is granted without a person.
 * @throws OAuthRefusal invalid_request, interaction_required. Source: OpenID Connect Core §3.1.2.6.
 */
export const checkPrompt = (sent: SentParameters): void => {
  const prompts = (optionalParameter(sent, 'prompt') ?? '').split(' ');
  if (!prompts.includes('none')) return;
  throw new OAuthRefusal('interaction_required', 'The user must sign in and approve.');
};

const invalid = (description: string) => new OAuthRefusal('invalid_request', description);
