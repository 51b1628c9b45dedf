import { timingSafeEqual } from 'node:crypto';
import { InvalidToken } from '../../../tokens/rules/invalid-token.ts';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import { ASSERTION_TYPE, assertedClient } from './client-assertion.ts';
import { optionalParameter, type SentParameters } from '../../../platform/rules/sent-parameters.ts';
import { type Fingerprint, fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { OAuthClient, TokenEndpointAuthMethod } from '../../../tokens/rules/oauth-records.ts';

/** Who a client says it is, and how it proves it. */
export type PresentedClient = PresentedSecret | PresentedAssertion;

interface PresentedSecret {
  readonly id: string;
  readonly method: Exclude<TokenEndpointAuthMethod, 'private_key_jwt'>;
  readonly secret?: Fingerprint;
}

export interface PresentedAssertion {
  readonly id: string;
  readonly method: 'private_key_jwt';
  /** A JWT in its compact form; believed by nobody yet. */
  readonly assertion: string;
}

/**
 * Reads a client's id and its proof from the `Authorization` header and the body.
 *
 * @throws OAuthRefusal invalid_client; invalid_request for what is no parameter
 *
 * Source: RFC 6749 §2.3, §3.2.1; docs/decisions/oauth.md, "Client authentication".
 */
export const readPresentedClient = (
  authorization: string | undefined,
  sent: SentParameters,
): PresentedClient => {
  const id = optionalParameter(sent, 'client_id');
  const secret = optionalParameter(sent, 'client_secret');
  const presented = presentedAssertion(sent);
  if (presented) {
    if (isSent(authorization) || secret !== undefined) throw invalidClient('two methods at once');
    if (id !== undefined && id !== presented.id) throw invalidClient('two ids');
    return presented;
  }
  if (isSent(authorization)) {
    const basic = basicCredentials(authorization);
    if (!basic) throw invalidClient('malformed Authorization header', 'Basic');
    if (secret !== undefined) throw invalidClient('two methods at once', 'Basic');
    if (id !== undefined && id !== basic.id) throw invalidClient('two ids', 'Basic');
    return { ...basic, method: 'client_secret_basic' };
  }
  if (id === undefined) throw invalidClient('no client');
  if (secret === undefined) return { id, method: 'none' };
  return { id, method: 'client_secret_post', secret: fingerprint(secret) };
};

/**
 * The assertion that a request carries, for whomever it is.
 *
 * @returns undefined if it carries none
 * @throws OAuthRefusal invalid_client for one that cannot be read, or half of what makes one
 *
 * Source: RFC 7521 §4.2; RFC 7523 §2.2.
 */
export const presentedAssertion = (sent: SentParameters): PresentedAssertion | undefined => {
  const assertion = optionalParameter(sent, 'client_assertion');
  const type = optionalParameter(sent, 'client_assertion_type');
  if (assertion === undefined && type === undefined) return undefined;
  if (assertion === undefined || type !== ASSERTION_TYPE) {
    throw invalidClient('not a client assertion of a known type');
  }
  try {
    return { id: assertedClient(assertion), method: 'private_key_jwt', assertion };
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    throw invalidClient(`client assertion: ${error.why}`);
  }
};

/**
 * What is wrong with a client's proof, for the log; undefined if it is the client.
 *
 * Source: docs/decisions/oauth.md, "Client authentication".
 */
export const authenticationFault = (
  presented: PresentedSecret,
  client: Pick<OAuthClient, 'authMethod' | 'secret'>,
): string | undefined => {
  if (presented.method !== client.authMethod) return 'another method than registered';
  if (client.authMethod === 'none') return undefined;
  return isSame(presented.secret, client.secret) ? undefined : 'wrong secret';
};

/** All failures look the same. Source: RFC 6749 §5.2. */
export const invalidClient = (why: string, challenge?: 'Basic'): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_client',
    'The client is unknown or did not authenticate as registered.',
    why,
    challenge ? { challenge } : {},
  );

/** The challenge for a client that tried `method`. */
export const challengeOf = (method: TokenEndpointAuthMethod): 'Basic' | undefined =>
  method === 'client_secret_basic' ? 'Basic' : undefined;

const isSame = (one: Fingerprint | undefined, other: Fingerprint | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.length === other.length &&
  timingSafeEqual(Buffer.from(one), Buffer.from(other));

const isSent = (authorization: string | undefined): boolean =>
  authorization !== undefined && authorization.trim() !== '';

const BASIC = /^\s*basic +(?<credentials>[A-Za-z0-9+/]+={0,2})\s*$/i;

/**
 * What an `Authorization: Basic` header carries.
 *
 * @returns undefined for any other header, and one that cannot be read
 *
 * Source: RFC 7617 §2; RFC 6749 §2.3.1.
 */
export const basicCredentials = (
  authorization: string | undefined,
): { readonly id: string; readonly secret: Fingerprint } | undefined => {
  const credentials = BASIC.exec(authorization ?? '')?.groups?.['credentials'] ?? '';
  try {
    const bytes = Buffer.from(credentials, 'base64');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const [, id, secret] = /^([^:]+):(.*)$/s.exec(text) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    return { id: formDecoded(id), secret: fingerprint(formDecoded(secret)) };
  } catch {
    return undefined;
  }
};

/** Ids and secrets are form-encoded before they are joined. @throws URIError, TypeError */
const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
