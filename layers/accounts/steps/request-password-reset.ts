import { askForMail, type MailRequestPorts } from './ask-for-mail.ts';

/**
 * Asks for a mail with which a new password can be chosen.
 *
 * @throws ApiRefusal rate_limited, invalid_request, use_company_sign_in
 *
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const requestPasswordReset = (
  ports: MailRequestPorts,
  email: string,
  sourceIp: string,
): Promise<void> => askForMail(ports, 'reset_password', email, sourceIp);
