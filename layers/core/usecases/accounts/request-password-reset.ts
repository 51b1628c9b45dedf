import { noAccountLetter, resetLetter } from '../../domain/accounts/mails.ts';
import { MINUTE } from '../../domain/time.ts';
import { type MailRequestPorts, mailToAnyone } from './mail-to-anyone.ts';
import { RESET_SECONDS, resetLink, signUpPage } from './mail-tokens.ts';

/**
 * Sends a mail with which a new password can be chosen.
 *
 * @throws ApiRefusal rate_limited, invalid_request
 *
 * Source: management-api.md.
 */
export const requestPasswordReset = (
  ports: MailRequestPorts,
  email: string,
  sourceIp: string,
): Promise<void> =>
  mailToAnyone(ports, email, sourceIp, async (user) =>
    user
      ? resetLetter(await resetLink(ports, user), RESET_SECONDS / MINUTE)
      : noAccountLetter(signUpPage(ports.settings)),
  );
