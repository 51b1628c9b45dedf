import { canonicalEmail } from '../../domain/accounts/email.ts';
import { readName, signUpFindings } from '../../domain/accounts/sign-up.ts';
import type { User } from '../../domain/accounts/user.ts';
import type { Plan } from '../../domain/plan.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { changeUser } from './change-user.ts';

export type ProvisionAccountPorts = Pick<Ports, 'clock' | 'mint' | 'passwords' | 'users'>;

export interface WantedAccount {
  readonly email: string;
  /** Needed for a new account; an existing one keeps its own. */
  readonly password?: string | undefined;
  readonly name?: string | undefined;
  readonly plan: Plan;
}

/**
 * Makes sure that an account exists, verified and on a plan: an operator vouches for the address, so
 * no mail is sent. Whoever signed up with the address before, unverified, loses to the operator.
 *
 * @throws ApiRefusal invalid_request if a new account has no usable e-mail or password
 *
 * Source: D33.
 */
export const provisionAccount = async (
  ports: ProvisionAccountPorts,
  wanted: WantedAccount,
): Promise<{ readonly user: User; readonly created: boolean }> => {
  const { users } = ports;
  const email = canonicalEmail(wanted.email);
  const existing = await users.findByEmail(email);
  if (existing?.emailVerified) {
    const user =
      existing.plan === wanted.plan
        ? existing
        : await changeUser(ports, existing, (current) => ({ ...current, plan: wanted.plan }));
    return { user, created: false };
  }

  const user = await vouchedFor(ports, { ...wanted, email }, existing);
  if (existing) return { user: await changeUser(ports, existing, () => user), created: true };
  if (await users.create(user)) return { user, created: true };
  // Somebody signed up with the same address a moment ago.
  return provisionAccount(ports, wanted);
};

const vouchedFor = async (
  { clock, mint, passwords }: ProvisionAccountPorts,
  { email, password = '', name, plan }: WantedAccount,
  existing: User | undefined,
): Promise<User> => {
  const findings = signUpFindings(email, password);
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'The account cannot be made so.', findings);
  }
  const now = clock.now();
  return {
    ...readName(name),
    id: existing?.id ?? mint.id(),
    email,
    emailVerified: true,
    plan,
    passwordHash: await passwords.hash(password),
    signedOutAt: existing ? now : 0,
    createdAt: existing?.createdAt ?? now,
    revision: existing?.revision ?? 1,
  };
};
