import type { Ports } from '../../ports.ts';
import { fingerprint } from '../../domain/oauth/records.ts';
import { changeUser } from './change-user.ts';
import type { CountRequestPorts } from './count-request.ts';
import { expectMailToken, type FindMailTokenPorts } from './mail-tokens.ts';

export type VerifyEmailPorts = FindMailTokenPorts & CountRequestPorts & Pick<Ports, 'lockouts'>;

/**
 * Confirms an e-mail address, and with it the password that was chosen in the sign-up that the mail
 * came from. A crash in between leaves the link usable.
 *
 * @throws ApiRefusal invalid_token, rate_limited
 *
 * Source: spec, "Authentication"; management-api.md.
 */
export const verifyEmail = async (
  ports: VerifyEmailPorts,
  token: string,
  sourceIp: string,
): Promise<void> => {
  const { lockouts, mailTokens } = ports;
  const { user, record } = await expectMailToken(ports, token, 'verify_email', sourceIp);
  if (!user.emailVerified) {
    await changeUser(ports, user, (current) =>
      // Somebody else's link may have been first: what is confirmed stays as it is.
      current.emailVerified
        ? current
        : {
            ...current,
            emailVerified: true,
            passwordHash: record.passwordHash ?? current.passwordHash,
          },
    );
    // Who tried to sign in too early did nothing wrong.
    await lockouts.reset(user.email);
  }
  await mailTokens.take(fingerprint(token));
};
