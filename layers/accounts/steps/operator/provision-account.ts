import { canonicalEmail } from '../../rules/email.ts';
import { emailFindings, readName } from '../../rules/sign-up.ts';
import type { User } from '../../rules/user.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../../ports.ts';
import { passwordFindings } from '../check-password.ts';
import { type CompanyPage, permitToProvision } from '../../rules/password-terms.ts';
import { changeUserPlan } from './set-plan.ts';
import type { PortsOf } from '../../../platform/ports.ts';

export type ProvisionAccountPorts = PortsOf<typeof passwordFindings | typeof changeUserPlan> &
  Pick<AccountsPorts, 'clock' | 'mailRequests' | 'passwords' | 'passwordTerms' | 'random'>;

export interface WantedAccount {
  readonly email: string;
  /** Required for a new account unless `byMail` or `withoutPassword`; ignored for an existing one. */
  readonly password?: string | undefined;
  /** Whether the owner of the mailbox chooses a new account's password by a mailed link. */
  readonly byMail?: boolean | undefined;
  /** Whether a new account has no password, because its owner signs in with a company. */
  readonly withoutPassword?: boolean | undefined;
  readonly name?: string | undefined;
  readonly plan: Plan;
}

/**
 * Ensures that an account exists and is on a plan. An operator vouches for the address, so no mail proves it; one is
 * sent only where its reader chooses the password.
 * @throws ApiRefusal invalid_request if a new account has an invalid e-mail or password, or one that could not be used
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const provisionAccount = async (
  ports: ProvisionAccountPorts,
  wanted: WantedAccount,
): Promise<{ readonly user: User; readonly created: boolean }> => {
  const { users } = ports;
  const email = canonicalEmail(wanted.email);
  const existing = await users.findByEmail(email);
  if (existing) {
    return { user: await changeUserPlan(ports, existing, wanted.plan), created: false };
  }

  const user = await vouchedFor(ports, { ...wanted, email });
  if (await users.create(user)) {
    if (wanted.byMail) {
      await ports.mailRequests.send({ id: ports.random.id(), purpose: 'account_made', email });
    }
    return { user, created: true };
  }
  // Somebody signed up with this address at the same time.
  return provisionAccount(ports, wanted);
};

const vouchedFor = async (
  ports: ProvisionAccountPorts,
  { email, password = '', byMail = false, withoutPassword = false, name, plan }: WantedAccount,
): Promise<User> => {
  const { clock, random, passwords } = ports;
  const isChosenHere = !byMail && !withoutPassword;
  const findings = [
    ...emailFindings(email),
    ...(isChosenHere ? await passwordFindings(ports, password, email) : []),
  ];
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'The account cannot be made so.', findings);
  }
  const terms = await ports.passwordTerms(email);
  const refusedBy = terms.company ?? (byMail ? terms.off : undefined);
  if (refusedBy && !withoutPassword) throw opensNothing(terms.company);
  return {
    ...readName(name),
    id: random.id(),
    email,
    plan,
    // No password exists with `byMail` until the link is used.
    passwordHash: isChosenHere
      ? await passwords.hash(permitToProvision(terms), password)
      : passwords.unusable(),
    signedOutAt: 0,
    createdAt: clock.now(),
    revision: 1,
  };
};

const opensNothing = (company: CompanyPage | undefined) =>
  new ApiRefusal('invalid_request', 'The account cannot be made so.', [
    company
      ? {
          where: '/password',
          what: `people of this address sign in with ${company.name ?? 'their company'}, and with no password`,
          hint: 'Make the account without one: hosted-mcp admin account EMAIL --no-password.',
        }
      : {
          where: '/byMail',
          what: 'nobody chooses a password by mail while passwords are off',
          hint: 'Say a password here, or make the account without one (--no-password).',
        },
  ]);
