import { OAuthRefusal } from '../refusal.ts';
import type { EpochSeconds } from '../time.ts';
import { requiredParameter, type SentParameters } from './parameters.ts';
import { answersChallenge, isVerifier } from './pkce.ts';
import type { AuthorizationCode } from './records.ts';
import { checkResource, readResource } from './resource.ts';

/** What a client shows for its tokens. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly resource: string | undefined;
}

/** @throws OAuthRefusal invalid_request, invalid_target. Source: OAuth 2.1 §4.1.3; K2, D35. */
export const readCodeExchange = (sent: SentParameters): CodeExchange => {
  const code = requiredParameter(sent, 'code');
  const redirectUri = requiredParameter(sent, 'redirect_uri');
  const verifier = requiredParameter(sent, 'code_verifier');
  if (!isVerifier(verifier)) {
    throw new OAuthRefusal(
      'invalid_request',
      'The code_verifier must have 43 to 128 characters out of A-Z, a-z, 0-9 and -._~',
    );
  }
  return { code, redirectUri, verifier, resource: readResource(sent) };
};

/**
 * Checks that a request is the one that a code was issued for. One that is not leaves the code as it
 * is, so that nobody can spoil a code by guessing.
 *
 * @throws OAuthRefusal invalid_grant, invalid_target
 *
 * Source: OAuth 2.1 §4.1.3; RFC 7636 §4.6; D19, D35; K2, K4.
 */
export const checkExchange = (
  { grant, redirectUri, challenge }: AuthorizationCode,
  exchange: CodeExchange,
  clientId: string,
  baseUrl: string,
): void => {
  if (grant.clientId !== clientId) throw invalidCode('code of another client');
  if (redirectUri !== exchange.redirectUri) throw invalidCode('redirect_uri differs');
  if (!answersChallenge(exchange.verifier, challenge)) throw invalidCode('verifier does not match');
  checkResource(baseUrl, exchange.resource, grant.slug);
};

/** @throws OAuthRefusal invalid_grant */
export const checkCodeUnexpired = ({ expiresAt }: AuthorizationCode, now: EpochSeconds): void => {
  if (now >= expiresAt) throw invalidCode('code expired');
};

export const invalidCode = (why: string): OAuthRefusal =>
  new OAuthRefusal('invalid_grant', 'The authorization code is not valid.', why);
