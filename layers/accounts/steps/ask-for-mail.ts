import { canonicalEmail } from '../rules/email.ts';
import { emailFindings } from '../rules/sign-up.ts';
import type { MailPurpose } from '../rules/user.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import { countRequest } from './count-request.ts';
import { permitNewPassword } from './password-permit.ts';

/**
 * Asks for a mail to whatever address somebody typed. Whether it has an account is not looked at here, so
 * that neither the answer nor its time can tell.
 *
 * @param check - throws for an address, canonical, that may not have such a mail
 * @throws ApiRefusal rate_limited, invalid_request, use_company_sign_in
 *
 * Source: docs/decisions/accounts.md, "Who sends mails".
 */
export const askForMail = async (
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
