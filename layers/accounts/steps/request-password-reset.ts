import { askForMail } from './ask-for-mail.ts';
import type { PortsOf } from '../../platform/ports.ts';

/**
 * Asks for a mail with which a new password can be chosen.
 *
 * @throws ApiRefusal rate_limited, invalid_request, use_company_sign_in
 *
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const requestPasswordReset = (
  ports: PortsOf<typeof askForMail>,
  email: string,
  sourceIp: string,
): Promise<void> => askForMail(ports, 'reset_password', email, sourceIp);
