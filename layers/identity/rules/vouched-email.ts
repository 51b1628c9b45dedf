import { canonicalEmail, domainOf, isEmail } from '../../accounts/rules/email.ts';
import type { IdentityProvider } from './providers.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Canonical address that a provider vouches for, or the reason for operators why none counts. */
export type VouchedEmail =
  | { readonly email: string; readonly why?: undefined }
  | { readonly email?: undefined; readonly why: string };

/**
 * Verified address of a person at a provider. At many providers people can enter any address, and no provider can speak
 * for other companies' domains: an address counts if the provider vouches for it, by the rule configured, and its
 * domain is one of the provider's.
 * @param claims - of a token with a valid signature
 * Source: OpenID Connect Core 1.0 §5.1; docs/access.md, "Whose address it is".
 */
export const vouchedEmail = (
  claims: Claims,
  provider: Pick<IdentityProvider, 'email_domains' | 'email_rule' | 'name'>,
): VouchedEmail => {
  const { name, email_rule: rule, email_domains: domains } = provider;
  if (rule === 'never') return { why: `addresses of ${name} do not count` };
  const { email: sent } = claims;
  if (typeof sent !== 'string') return { why: `${name} names no address` };
  const email = canonicalEmail(sent);
  if (!isEmail(email)) return { why: 'the address has characters that accounts do not have' };
  if (!IS_VOUCHED[rule](claims, domains)) {
    return { why: `${name} does not say that it has checked this address` };
  }
  const domain = domainOf(email);
  if (!domains.includes(domain)) return { why: `${domain} is no domain of ${name} here` };
  return { email };
};

/** Some providers send booleans as strings or numbers. */
const isTrue = (claim: unknown): boolean =>
  claim === true || claim === 1 || claim === 'true' || claim === '1';

type Rule = Exclude<IdentityProvider['email_rule'], 'never'>;

const IS_VOUCHED: Readonly<Record<Rule, (claims: Claims, domains: readonly string[]) => boolean>> =
  {
    verified: ({ email_verified: verified }) => isTrue(verified),
    // Microsoft Entra has no `email_verified`: here the tenant owns the domain of the address.
    edov: ({ xms_edov: verified }) => isTrue(verified),
    // Google accounts can have foreign addresses: `hd` names the domain that hosts the account.
    hosted_domain: ({ email_verified: verified, hd }, domains) =>
      isTrue(verified) && typeof hd === 'string' && domains.includes(hd),
    trusted: ({ email_verified: verified }) => verified === undefined || isTrue(verified),
  };
