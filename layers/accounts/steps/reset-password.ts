import { accountEvent } from '../../events/rules/service-event.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import type { AccountsPorts } from '../ports.ts';
import { checkPassword } from './check-password.ts';
import type { countRequest } from './count-request.ts';
import { permitNewPassword } from './password-permit.ts';
import { expectMailToken, holdMailToken, invalidMailToken } from './mail-tokens.ts';
import { signOut } from './sign-out.ts';
import type { PortsOf } from '../../platform/ports.ts';

export interface PasswordReset {
  readonly token: string;
  readonly password: string;
  readonly sourceIp: string;
}

/**
 * Sets the password chosen behind a mail's link. In the same transaction the link is spent and all sessions, refresh
 * tokens and minted tokens end; then locks are lifted. Of concurrent requests only one hashes its password.
 * @throws ApiRefusal invalid_token, conflict, rate_limited, use_company_sign_in; invalid_request, with the link still
 *   valid
 * Source: docs/decisions/accounts.md, "New passwords".
 */
export const resetPassword = async (
  ports: PortsOf<
    typeof countRequest | typeof permitNewPassword | typeof holdMailToken | typeof checkPassword
  > &
    Pick<AccountsPorts, 'events' | 'lockouts' | 'log' | 'passwords' | 'users'>,
  { token, password, sourceIp }: PasswordReset,
): Promise<void> => {
  const { events, lockouts, passwords, users } = ports;
  const { email } = await expectMailToken(ports, token, ['reset_password'], sourceIp);
  const user = await users.findByEmail(email);
  const permit = await permitNewPassword(ports, email, user);
  await checkPassword(ports, password, email);
  if (!user) throw invalidMailToken();

  const link = await holdMailToken(ports, token, 'reset_password');
  const passwordHash = await passwords.hash(permit, password);
  await signOut(ports, user, (current) => ({ ...current, passwordHash }), link);

  await afterwards(ports, 'failed sign-ins forgotten', () => lockouts.reset(user.email));
  events.record(accountEvent('password_reset', user, 'by mail', addressSubject(sourceIp)));
};
