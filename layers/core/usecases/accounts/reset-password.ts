import { addressSubject } from '../../domain/access/subject.ts';
import { signedOutFrom } from '../../domain/accounts/signed-out.ts';
import { passwordFindings } from '../../domain/accounts/sign-up.ts';
import { fingerprint } from '../../domain/oauth/records.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { changeUser } from './change-user.ts';
import type { CountRequestPorts } from './count-request.ts';
import { expectMailToken, type FindMailTokenPorts, invalidMailToken } from './mail-tokens.ts';

export type ResetPasswordPorts = FindMailTokenPorts &
  CountRequestPorts &
  Pick<Ports, 'events' | 'lockouts' | 'passwords'>;

export interface PasswordReset {
  readonly token: string;
  readonly password: string;
  /** As the gateway saw it. */
  readonly sourceIp: string;
}

/**
 * Gives a user the password that was chosen behind the link of a mail. Whoever has the mail has the
 * address, so that it is confirmed as well; all sessions and refresh tokens end, and locks open.
 *
 * @throws ApiRefusal invalid_token, rate_limited; invalid_request, with the link still usable
 *
 * Source: management-api.md; D28.
 */
export const resetPassword = async (
  ports: ResetPasswordPorts,
  { token, password, sourceIp }: PasswordReset,
): Promise<void> => {
  const { clock, events, lockouts, mailTokens, passwords } = ports;
  const { user } = await expectMailToken(ports, token, 'reset_password', sourceIp);
  const findings = passwordFindings(password, user.email);
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'The password cannot be used.', findings);
  }

  const passwordHash = await passwords.hash(password);
  if (!(await mailTokens.take(fingerprint(token)))) throw invalidMailToken();
  const signedOutAt = signedOutFrom(clock.now());
  await changeUser(ports, user, (current) => ({
    ...current,
    passwordHash,
    emailVerified: true,
    signedOutAt: Math.max(current.signedOutAt, signedOutAt),
  }));

  await lockouts.reset(user.email);
  events.record({
    type: 'security',
    event: 'password_reset',
    accountId: user.id,
    subject: addressSubject(sourceIp),
    why: 'by mail',
  });
};
