import type { AccountsSettings } from '../ports.ts';
import { checkMaySignUp, checkSignUpIsOpen } from '../rules/sign-up-policy.ts';
import { askForMail } from './ask-for-mail.ts';
import type { PortsOf } from '../../platform/ports.ts';

/**
 * Asks for a mail with which an account can be made. Nothing else that is typed before the mailbox is proven
 * is kept, so that it can become no authority: whoever reads the mail chooses name and password.
 *
 * @throws ApiRefusal sign_up_closed, rate_limited, invalid_request, use_company_sign_in
 *
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const requestSignUp = async (
  ports: PortsOf<typeof askForMail> & { readonly settings: Pick<AccountsSettings, 'signUp'> },
  typed: string,
  sourceIp: string,
): Promise<void> => {
  const { signUp = 'closed' } = ports.settings;
  checkSignUpIsOpen(signUp);
  await askForMail(ports, 'sign_up', typed, sourceIp, (email) => checkMaySignUp(signUp, email));
};
