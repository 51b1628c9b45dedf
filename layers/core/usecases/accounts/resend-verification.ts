import {
  alreadyVerifiedLetter,
  type Letter,
  noAccountLetter,
  verificationLetter,
} from '../../domain/accounts/mails.ts';
import { type MailRequestPorts, mailToAnyone } from './mail-to-anyone.ts';
import { resetPage, signUpPage, verificationLink } from './mail-tokens.ts';

/**
 * Sends the confirmation mail again.
 *
 * @throws ApiRefusal rate_limited, invalid_request
 *
 * Source: management-api.md.
 */
export const resendVerification = (
  ports: MailRequestPorts,
  email: string,
  sourceIp: string,
): Promise<void> =>
  mailToAnyone(ports, email, sourceIp, async (user): Promise<Letter> => {
    if (!user) return noAccountLetter(signUpPage(ports.settings));
    if (user.emailVerified) return alreadyVerifiedLetter(resetPage(ports.settings));
    return verificationLetter(await verificationLink(ports, user, user.passwordHash));
  });
