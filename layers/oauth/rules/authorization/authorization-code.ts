import { createHash, timingSafeEqual } from 'node:crypto';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import { requiredParameter, type SentParameters } from '../../../platform/rules/sent-parameters.ts';
import type { AuthorizationCode } from '../../../tokens/rules/oauth-records.ts';
import { readResource } from '../parameters.ts';

export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly resource: string | undefined;
}

/** @throws OAuthRefusal invalid_request, invalid_target. Source: OAuth 2.1 §4.1.3. */
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

/** @throws OAuthRefusal invalid_grant. Source: RFC 6749 §5.2. */
export const checkCodeClient = ({ grant }: AuthorizationCode, clientId: string): void => {
  if (grant.clientId !== clientId) throw invalidCode('code of another client');
};

/** @throws OAuthRefusal invalid_grant. Source: RFC 6749 §4.1.3. */
export const checkSameRedirectUri = (
  { redirectUri }: AuthorizationCode,
  exchange: CodeExchange,
): void => {
  if (redirectUri !== exchange.redirectUri) throw invalidCode('redirect_uri differs');
};

/** @throws OAuthRefusal invalid_grant. Source: RFC 7636 §4.6. */
export const checkVerifier = (
  { codeChallenge }: AuthorizationCode,
  { verifier }: CodeExchange,
): void => {
  if (!answersChallenge(verifier, codeChallenge)) throw invalidCode('verifier does not match');
};

/** @throws OAuthRefusal invalid_grant */
export const checkCodeUnexpired = ({ expiresAt }: AuthorizationCode, now: EpochSeconds): void => {
  if (now >= expiresAt) throw invalidCode('code expired');
};

export const invalidCode = (why: string): OAuthRefusal =>
  new OAuthRefusal('invalid_grant', 'The authorization code is not valid.', why);

// Forms of PKCE's code verifier and code challenge. Source: RFC 7636 §4.1, §4.2.
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Source: RFC 7636 §4.1. */
export const isVerifier = (text: string): boolean => VERIFIER.test(text);

/** Whether it has the form of BASE64URL(SHA-256(verifier)). Source: RFC 7636 §4.2. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Source: RFC 7636 §4.6. */
export const answersChallenge = (verifier: string, challenge: string): boolean => {
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(verifier).digest();
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};
