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
 * Requests a mail with a link that creates an account. Name and password are chosen behind the link only: nothing typed
 * before the mailbox is proven gains any authority.
 * @throws ApiRefusal sign_up_closed, rate_limited, invalid_request, use_company_sign_in
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
 * Requests a mail with a link that sets a new password.
 * @throws ApiRefusal rate_limited, invalid_request, use_company_sign_in
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const requestPasswordReset = (
  ports: PortsOf<typeof askForMail>,
  email: string,
  sourceIp: string,
): Promise<void> => askForMail(ports, 'reset_password', email, sourceIp);

/**
 * Requests a mail to any typed address. Does not look up whether an account exists, so that neither the answer nor its
 * timing can reveal that.
 * @param check - throws if this canonical address may not get such a mail
 * @throws ApiRefusal rate_limited, invalid_request, use_company_sign_in
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
