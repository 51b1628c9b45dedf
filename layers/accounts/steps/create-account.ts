import { readName } from '../rules/sign-up.ts';
import { checkMaySignUp } from '../rules/sign-up-policy.ts';
import { MAKING, type User } from '../rules/user.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import type { AccountsPorts, AccountsSettings } from '../ports.ts';
import { checkPassword } from './check-password.ts';
import type { countRequest } from './count-request.ts';
import type { permitNewPassword } from './password-permit.ts';
import { expectMailToken, holdMailToken, invalidMailToken } from './mail-tokens.ts';
import type { PortsOf } from '../../platform/ports.ts';

export interface ChosenAccount {
  readonly token: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly sourceIp: string;
}

/**
 * Creates the account for the holder of a mail's link. Link and account are written in one transaction, so that a crash
 * leaves the link valid; of concurrent requests one succeeds, and only one hashes its password.
 * @throws ApiRefusal invalid_token, conflict, rate_limited, sign_up_closed, use_company_sign_in; invalid_request, with
 *   the link still valid
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const createAccount = async (
  ports: PortsOf<
    typeof countRequest | typeof permitNewPassword | typeof holdMailToken | typeof checkPassword
  > &
    Pick<AccountsPorts, 'lockouts' | 'log' | 'passwords' | 'random' | 'users'> & {
      readonly settings: Pick<AccountsSettings, 'newAccountPlan' | 'signUp'>;
    },
  { token, password, name, sourceIp }: ChosenAccount,
): Promise<User> => {
  const { clock, lockouts, passwords, random, settings, users } = ports;
  const { email, permit, purpose } = await expectMailToken(ports, token, MAKING, sourceIp);
  checkMaySignUp(settings.signUp ?? 'closed', email);
  await checkPassword(ports, password, email);
  const link = await holdMailToken(ports, token, purpose);
  const passwordHash = await passwords.hash(permit, password);
  const user: User = {
    ...readName(name),
    id: random.id(),
    email,
    plan: settings.newAccountPlan ?? 'free',
    passwordHash,
    signedOutAt: 0,
    createdAt: clock.now(),
    revision: 1,
  };
  // If the account was created concurrently, the link is worthless.
  if (!(await users.create(user, { spent: link }))) throw invalidMailToken();
  // Attempts to sign in before the account existed do not count against it.
  await afterwards(ports, 'failed sign-ins forgotten', () => lockouts.reset(email));
  return user;
};
