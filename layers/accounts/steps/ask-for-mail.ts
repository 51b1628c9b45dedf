import { canonicalEmail } from '../rules/email.ts';
import { emailFindings } from '../rules/sign-up.ts';
import type { MailPurpose } from '../rules/user.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts, AccountsSettings } from '../ports.ts';
import { checkMaySignUp, checkSignUpIsOpen } from '../rules/sign-up-policy.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import { countRequest } from './count-request.ts';
import { permitNewPassword } from './password-permit.ts';

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

/**
 * Asks for a mail to whatever address somebody typed. Whether it has an account is not looked at here, so
 * that neither the answer nor its time can tell.
 *
 * @param check - throws for an address, canonical, that may not have such a mail
 * @throws ApiRefusal rate_limited, invalid_request, use_company_sign_in
 *
 * Source: docs/decisions/accounts.md, "Who sends mails".
 */
const askForMail = async (
  ports: PortsOf<typeof countRequest | typeof permitNewPassword> &
    Pick<AccountsPorts, 'mailRequests' | 'random'> & {
      readonly settings: PlatformSettings & LimitsSettings;
    },
  purpose: MailPurpose,
  typed: string,
  sourceIp: string,
  check: (email: string) => void = () => undefined,
): Promise<void> => {
  await countRequest(ports, 'account_requests_per_hour_per_ip', sourceIp);
  const email = canonicalEmail(typed);
  const findings = emailFindings(email);
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'No mail can be sent there.', findings);
  }
  check(email);
  await permitNewPassword(ports, email);
  await ports.mailRequests.send({ id: ports.random.id(), purpose, email });
};
