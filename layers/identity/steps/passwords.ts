import { userOf } from '../../accounts/steps/operator/user-of.ts';
import type { User } from '../../accounts/rules/user.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { IdentityPorts } from '../ports.ts';
import { MAX_BREAK_GLASS } from '../rules/password-terms.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import { domainOf } from '../../accounts/rules/email.ts';
import { signsIn } from '../rules/sign-in.ts';
import type { AppliedChange } from '../store/providers.ts';

type PreparePasswordsPorts = Pick<IdentityPorts, 'identityProviderRegister' | 'users'>;

export interface PreparedPasswords {
  readonly passwords: 'off' | 'on';
  readonly breakGlass: readonly string[];
  /** Revision that it replaces; it applies to no other. */
  readonly revision: number;
  readonly accounts: readonly Pick<User, 'email' | 'id'>[];
}

/**
 * Prepares switching passwords off for everybody, or on except where a provider refuses them. Changes nothing.
 * @throws ApiRefusal invalid_request where nobody could sign in afterwards
 * Source: docs/access.md, "Passwords".
 */
export const preparePasswords = async (
  ports: PreparePasswordsPorts,
  passwords: 'off' | 'on',
): Promise<PreparedPasswords> => {
  const { providers, revision, ...believed } = await ports.identityProviderRegister.find();
  if (passwords === 'off' && !providers.some(signsIn)) {
    throw new ApiRefusal(
      'invalid_request',
      'No provider signs anybody in: apply a list with sign_in first (hosted-mcp admin apply-providers).',
    );
  }
  const accounts = await accountsOf(ports, believed.breakGlass);
  return { passwords, breakGlass: accounts.map(({ id }) => id), revision, accounts };
};

/**
 * Prepares adding or ending a break-glass account. Changes nothing.
 * @throws ApiRefusal not_found; invalid_request for an account that a company could sign in to, and beyond the maximum
 */
export const prepareBreakGlass = async (
  ports: PreparePasswordsPorts,
  { email, end }: { readonly email: string; readonly end: boolean },
): Promise<PreparedPasswords> => {
  const [user, { providers, revision, ...believed }] = await Promise.all([
    userOf(ports, email),
    ports.identityProviderRegister.find(),
  ]);
  const others = (await accountsOf(ports, believed.breakGlass)).filter(({ id }) => id !== user.id);
  if (!end) {
    const faults = breakGlassFaults(user, providers);
    if (others.length >= MAX_BREAK_GLASS) faults.push(TOO_MANY);
    if (faults.length > 0) {
      throw new ApiRefusal(
        'invalid_request',
        'This account cannot be kept for emergencies.',
        faults,
      );
    }
  }
  const accounts = end ? others : [...others, user];
  return {
    passwords: believed.passwords,
    breakGlass: accounts.map(({ id }) => id),
    revision,
    accounts: accounts.map(({ id, email: address }) => ({ id, email: address })),
  };
};

/** Break-glass accounts that still exist. */
export const accountsOf = async (
  { users }: Pick<IdentityPorts, 'users'>,
  ids: readonly string[],
): Promise<readonly User[]> => {
  const found = await Promise.all(ids.map((id) => users.find(id)));
  return found.filter((one) => one !== undefined);
};

const TOO_MANY: Finding = {
  where: '/email',
  what: `${MAX_BREAK_GLASS} accounts are kept already`,
  hint: 'End one of them first: hosted-mcp admin break-glass EMAIL --end.',
};

/** An account that a company can take over or end is no fallback for the case that companies fail. */
export const breakGlassFaults = (
  { email, identities = [] }: User,
  providers: readonly IdentityProvider[],
): Finding[] => {
  const named = providers.find((one) => one.email_domains.includes(domainOf(email)));
  return [
    ...(named
      ? [
          {
            where: '/email',
            what: `${domainOf(email)} is a domain of ${named.name}, which could sign somebody in with this address`,
            hint: 'Make an account of an address elsewhere (hosted-mcp admin account), and keep that one.',
          },
        ]
      : []),
    ...(identities.length > 0
      ? [
          {
            where: '/email',
            what: 'a company signs somebody in to this account',
            hint: 'Make another account (hosted-mcp admin account), or unlink this one (hosted-mcp admin forget-identity).',
          },
        ]
      : []),
  ];
};

/** Takes effect within 15 seconds. @throws ApiRefusal conflict where something else was applied since */
export const applyPasswords = async (
  { identityProviderRegister: register }: Pick<IdentityPorts, 'identityProviderRegister'>,
  { passwords, breakGlass, revision }: Omit<PreparedPasswords, 'accounts'>,
): Promise<AppliedChange> => {
  const next = { passwords, breakGlass, revision: revision + 1 };
  if (await register.replace(next)) return next;
  throw new ApiRefusal('conflict', 'Something else was applied meanwhile. Say it again.');
};
