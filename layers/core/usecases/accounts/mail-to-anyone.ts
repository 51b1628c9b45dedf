import { canonicalEmail } from '../../domain/accounts/email.ts';
import type { Letter } from '../../domain/accounts/mails.ts';
import { emailFindings } from '../../domain/accounts/sign-up.ts';
import type { User } from '../../domain/accounts/user.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { countRequest, type CountRequestPorts } from './count-request.ts';

export type MailRequestPorts = CountRequestPorts &
  Pick<Ports, 'mailer' | 'mailTokens' | 'mint' | 'settings' | 'users'>;

/**
 * Sends one mail to whatever address somebody typed, whether or not it has an account: neither the
 * answer nor its time tells which.
 *
 * @param write - the letter for the user of the address, if there is one
 * @throws ApiRefusal rate_limited, invalid_request
 */
export const mailToAnyone = async (
  ports: MailRequestPorts,
  typed: string,
  sourceIp: string,
  write: (user: User | undefined) => Promise<Letter>,
): Promise<void> => {
  await countRequest(ports, 'account_requests_per_hour_per_ip', sourceIp);
  const email = canonicalEmail(typed);
  const findings = emailFindings(email);
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'No mail can be sent there.', findings);
  }
  const letter = await write(await ports.users.findByEmail(email));
  await ports.mailer.send({ to: email, ...letter });
};
