import { InvalidToken } from '../../../tokens/rules/authorization.ts';
import { type Subject, subjectOf } from '../../../identity/rules/linking.ts';
import { assertionIssuer, type IdentityProvider } from '../../../identity/rules/providers.ts';
import { vouchedEmail, type VouchedEmail } from '../../../identity/rules/vouched-email.ts';
import { authorizationServer } from '../../../platform/rules/addresses.ts';
import {
  checkSoleAudience,
  checkTime,
  dateClaim,
  type Jwt,
  readJwt,
  textClaim,
} from '../../../tokens/rules/jwt.ts';
import { type EpochSeconds, HOUR, MINUTE } from '../../../platform/rules/time.ts';
import { ASSERTION_ALGORITHMS } from '../clients/client-assertion.ts';
import type { Scope } from '../../../tokens/rules/oauth-records.ts';
import { slugOfResource } from '../parameters.ts';
import { knownScopes } from '../../../tokens/rules/oauth-scopes.ts';

/** `typ` of identity assertions, which keeps other tokens of a provider from passing as one. */
const TYPE = 'oauth-id-jag+jwt';

const MAX_BYTES = 16 * 1024;
const MAX_TEXT = 256;
const MAX_AHEAD_SECONDS = HOUR;
/** For differing clocks. */
const LEEWAY_SECONDS = MINUTE;

/** Claims of an identity assertion; unproven until its signature is checked. */
export interface IdentityAssertion {
  readonly provider: IdentityProvider;
  readonly keyId: string | undefined;
  readonly issuer: string;
  readonly tenant: string | undefined;
  readonly subject: Subject;
  readonly vouched: VouchedEmail;
  /** From its `resource`; undefined where the token request names it. */
  readonly slug: string | undefined;
  readonly scopes: readonly Scope[];
  readonly jti: string;
  readonly issuedAt: EpochSeconds;
  /** The assertion has expired by then, so that its `jti` may be forgotten. */
  readonly endsAt: EpochSeconds;
}

export interface AssertionTerms {
  readonly baseUrl: string;
  readonly providers: readonly IdentityProvider[];
  readonly clientId: string;
  readonly now: EpochSeconds;
}

/**
 * @throws InvalidToken. Source: draft-ietf-oauth-identity-assertion-authz-grant §3.1, §4.4.1; RFC 7523 §3;
 *   docs/access.md, "Enterprise-managed authorization".
 */
export const readIdentityAssertion = (text: string, terms: AssertionTerms): IdentityAssertion => {
  if (text.length > MAX_BYTES) throw new InvalidToken('too long for an assertion');
  const jwt = readJwt(text);
  const { claims, keyId } = jwt;
  checkHeader(jwt);
  const provider = terms.providers.find((one) => assertionIssuer(one) === claims['iss']);
  if (!provider?.assertions) throw new InvalidToken('unknown issuer');
  const { tenant } = provider.assertions;
  if (claims['tenant'] !== tenant) throw new InvalidToken('of another tenant');
  checkSoleAudience(claims, [authorizationServer(terms.baseUrl)]);
  if (textClaim(claims, 'client_id') !== terms.clientId) {
    throw new InvalidToken('for another client');
  }
  const endsAt = endOf(claims, terms.now);
  const jti = shortClaim(claims, 'jti');
  const issuer = assertionIssuer(provider);
  const claim = provider.subject_claim;
  return {
    provider,
    keyId,
    issuer,
    tenant,
    subject: subjectOf({ issuer, tenant, claim }, shortClaim(claims, claim)),
    vouched: vouchedEmail(claims, provider),
    slug: slugIn(claims['resource'], terms.baseUrl),
    scopes: scopesIn(claims['scope']),
    jti,
    issuedAt: Math.floor(dateClaim(claims, 'iat')),
    endsAt,
  };
};

type Claims = Jwt['claims'];

const checkHeader = ({ type, algorithm }: Jwt): void => {
  if (type?.toLowerCase() !== TYPE) throw new InvalidToken('not of the type of such assertions');
  if (!ASSERTION_ALGORITHMS.some((one) => one === algorithm)) {
    throw new InvalidToken('algorithm not allowed');
  }
};

const endOf = (claims: Claims, now: EpochSeconds): EpochSeconds => {
  checkTime(claims, now, LEEWAY_SECONDS);
  if (dateClaim(claims, 'iat') > now + LEEWAY_SECONDS) throw new InvalidToken('not issued yet');
  const expiresAt = dateClaim(claims, 'exp');
  if (expiresAt > now + MAX_AHEAD_SECONDS + LEEWAY_SECONDS) {
    throw new InvalidToken('lives too long');
  }
  return Math.ceil(expiresAt) + LEEWAY_SECONDS;
};

const shortClaim = (claims: Claims, name: string): string => {
  const value = textClaim(claims, name);
  if (value.length > MAX_TEXT) throw new InvalidToken(`no usable ${name}`);
  return value;
};

const slugIn = (resource: unknown, baseUrl: string): string | undefined => {
  if (resource === undefined) return undefined;
  const [one, ...others]: readonly unknown[] = Array.isArray(resource) ? resource : [resource];
  const slug =
    typeof one === 'string' && others.length === 0 ? slugOfResource(baseUrl, one) : undefined;
  if (slug === undefined) throw new InvalidToken('for no deployment');
  return slug;
};

const scopesIn = (scope: unknown): readonly Scope[] => {
  if (scope === undefined) return [];
  if (typeof scope !== 'string') throw new InvalidToken('no usable scope');
  return knownScopes(scope);
};
