import { OAuthRefusal } from '../refusal.ts';
import { TOOL_SCOPES } from './metadata.ts';
import { optionalParameter, requiredParameter, type SentParameters } from './parameters.ts';
import { isChallenge } from './pkce.ts';
import { type Scope, SCOPES } from './records.ts';
import { readResource } from './resource.ts';
import { isScope, splitScopes } from './scopes.ts';

/** What a client wants, besides being allowed to ask. */
export interface Wish {
  /** BASE64URL(SHA-256(verifier)). */
  readonly challenge: string;
  readonly scopes: readonly Scope[];
  readonly resource?: string;
}

/** Longer than any client's, and short enough that the answer's address stays within what servers read. */
const MAX_STATE_LENGTH = 4096;

/**
 * Reads an authorization request whose client and redirect URI are proven.
 *
 * @param state - as `encodedState` read it
 * @param registered - scopes that the client named when it registered, for when it names none now
 * @throws OAuthRefusal the error that goes to the redirect URI
 *
 * Source: OAuth 2.1 §4.1.1; RFC 7636 §4.3; RFC 8707 §2; A1, D11, D34.
 */
export const readWish = (
  sent: SentParameters,
  state: string | undefined,
  registered: readonly Scope[],
): Wish => {
  checkState(sent, state);
  checkResponseType(sent);
  const challenge = readChallenge(sent);
  const scopes = readScopes(sent, registered);
  const resource = readResource(sent);
  checkPrompt(sent);
  return { challenge, scopes, ...(resource !== undefined && { resource }) };
};

const checkState = (sent: SentParameters, state = ''): void => {
  optionalParameter(sent, 'state');
  if (state.length > MAX_STATE_LENGTH) throw invalid('The state is too long.');
};

const checkResponseType = (sent: SentParameters): void => {
  if (requiredParameter(sent, 'response_type') === 'code') return;
  throw new OAuthRefusal('unsupported_response_type', 'The response type must be code.');
};

/** A missing method means `plain`, which is refused. Source: RFC 7636 §4.3. */
const readChallenge = (sent: SentParameters): string => {
  const challenge = requiredParameter(sent, 'code_challenge');
  const method = optionalParameter(sent, 'code_challenge_method') ?? 'plain';
  if (method !== 'S256') throw invalid('The code challenge method must be S256.');
  if (!isChallenge(challenge)) throw invalid('The code challenge is malformed.');
  return challenge;
};

/** Who asks for no right at the server is given both, or the token would open nothing. Source: D11. */
const readScopes = (sent: SentParameters, registered: readonly Scope[]): readonly Scope[] => {
  const asked = optionalParameter(sent, 'scope');
  const names = new Set<string>(asked === undefined ? registered : splitScopes(asked));
  if (![...names].every(isScope)) {
    throw new OAuthRefusal('invalid_scope', 'The scope names something that is not known here.');
  }
  if (!TOOL_SCOPES.some((scope) => names.has(scope))) TOOL_SCOPES.forEach((one) => names.add(one));
  return SCOPES.filter((scope) => names.has(scope));
};

/** Consent is never skipped, so that nothing can be had without a person. Source: OpenID Connect Core §3.1.2.6; A6. */
const checkPrompt = (sent: SentParameters): void => {
  const prompts = (optionalParameter(sent, 'prompt') ?? '').split(' ');
  if (!prompts.includes('none')) return;
  throw new OAuthRefusal('interaction_required', 'The user must log in and approve.');
};

const invalid = (description: string) => new OAuthRefusal('invalid_request', description);
