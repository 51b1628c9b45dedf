import { canonicalEmail, isEmail } from '../../accounts/rules/email.ts';
import type { IdentityProvider } from './providers.ts';

type Claims = Readonly<Record<string, unknown>>;

/** An address that a provider vouches for, canonical; or why it vouches for none, in words for operators. */
export type VouchedEmail =
  | { readonly email: string; readonly why?: undefined }
  | { readonly email?: undefined; readonly why: string };

/**
 * The address of a person whom a provider speaks of. People may write any address into their profile at many
 * providers, and no provider knows whose the addresses of other companies are: it counts where the provider vouches
 * for it, as its rule says, and it is of a domain that the provider may speak for.
 *
 * @param claims - of a token whose signature is good
 *
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
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!domains.includes(domain)) return { why: `${domain} is no domain of ${name} here` };
  return { email };
};

/** Some write claims as text, and numbers for true. */
const isTrue = (claim: unknown): boolean =>
  claim === true || claim === 1 || claim === 'true' || claim === '1';

type Rule = Exclude<IdentityProvider['email_rule'], 'never'>;

const IS_VOUCHED: Readonly<Record<Rule, (claims: Claims, domains: readonly string[]) => boolean>> =
  {
    verified: ({ email_verified: verified }) => isTrue(verified),
    // Of Entra, which has no `email_verified`: the owner of the address's domain is the tenant that signs.
    edov: ({ xms_edov: verified }) => isTrue(verified),
    // Of Google, where people may have accounts with addresses of others: who hosts the account.
    hosted_domain: ({ email_verified: verified, hd }, domains) =>
      isTrue(verified) && typeof hd === 'string' && domains.includes(hd),
    trusted: ({ email_verified: verified }) => verified === undefined || isTrue(verified),
  };
