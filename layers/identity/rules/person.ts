import type { User, UserIdentity } from '../../accounts/rules/user.ts';
import { timeOf } from '../../platform/rules/time.ts';
import type { IdentityProvider } from './providers.ts';
import { providerOfAddress } from './sign-in.ts';

interface Known {
  /** Canonical. */
  readonly email: string;
  /** Whose address it is, if it is anybody's. */
  readonly user: User | undefined;
  readonly isOperator: boolean;
  readonly providers: readonly IdentityProvider[];
}

/**
 * How somebody of an address gets in, and what may be in the way, in sentences for operators. They follow the rules by
 * which accounts are found, so that nobody has to guess which one it was.
 *
 * Source: docs/access.md, "Whose account it is".
 */
export const personInWords = (known: Known): readonly string[] => {
  const { email, user, isOperator, providers } = known;
  const provider = providerOfAddress(providers, email);
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const way = provider
    ? `People of ${domain} sign in with ${provider.id}.`
    : `No provider signs in people of ${domain}: they have a password.`;
  if (!user) return [way, withoutAccount(provider)];
  const former = (user.identities ?? []).filter(
    ({ issuer }) => !providers.some((one) => speaksFor(one, issuer)),
  );
  return [
    way,
    ...(isOperator && provider
      ? ["The account is an operator's: a password opens it, and no provider does."]
      : []),
    ...(provider && !isOperator ? [standingWith(provider, user)] : []),
    ...former.map(({ issuer }) => `It is known by ${issuer}, which is not on the list any more.`),
  ];
};

const withoutAccount = (provider: IdentityProvider | undefined): string => {
  if (!provider) return 'There is no account of this address.';
  return provider.create_accounts
    ? 'There is no account of this address: the first sign-in makes one.'
    : `There is no account of this address, and ${provider.id} makes none (create_accounts): hosted-mcp admin account makes it.`;
};

const standingWith = (
  { id, issuer, subject_claim: claim }: IdentityProvider,
  user: User,
): string => {
  const identity = user.identities?.find(
    (one) => one.issuer === issuer && (one.claim ?? 'sub') === claim,
  );
  if (!identity) {
    return `${id} has not been seen with this account: its first sign-in makes the account theirs, and ends its password.`;
  }
  const seen = identity.signedIn ? 'by a sign-in' : 'by assertions alone';
  return `${id} is known to the account ${seen}. Another subject of it is refused; where that is the same person, hosted-mcp admin forget-identity makes room.`;
};

const speaksFor = ({ issuer, assertions }: IdentityProvider, of: string): boolean =>
  issuer === of || assertions?.issuer === of;

/** What is known of somebody by a provider, moments as ISO 8601; the subject is nobody's to read. */
export const identityBody = (
  identity: UserIdentity,
  providers: readonly IdentityProvider[],
): Readonly<Record<string, unknown>> => ({
  provider: providers.find((one) => speaksFor(one, identity.issuer))?.id,
  ...Object.fromEntries(
    Object.entries(identity)
      .filter(([name]) => name !== 'subject')
      .map(([name, value]) => [name, typeof value === 'number' ? timeOf(value) : value]),
  ),
});
