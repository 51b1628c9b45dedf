import { readMailToken } from '../rules/mail-token.ts';
import type { LinkPurpose, MailToken } from '../rules/user.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import type { AccountsPorts } from '../ports.ts';
import type { PasswordPermit } from '../rules/password-terms.ts';
import { permitNewPassword } from './password-permit.ts';
import { countRequest } from './count-request.ts';
import type { PortsOf } from '../../platform/ports.ts';

type FindMailTokenPorts = Pick<AccountsPorts, 'clock' | 'mailTokens'>;

/**
 * Resolves a mail's token without consuming it, since mail scanners follow links. Failed attempts are rate-limited.
 * Every use sets a password, so the result includes the permit for that.
 * @throws ApiRefusal invalid_token, rate_limited, use_company_sign_in
 */
export const expectMailToken = async (
  ports: PortsOf<typeof countRequest | typeof permitNewPassword> & FindMailTokenPorts,
  token: string,
  purposes: readonly LinkPurpose[],
  sourceIp: string,
): Promise<MailToken & { readonly permit: PasswordPermit<'set'> }> => {
  const { clock, mailTokens } = ports;
  const read = readMailToken(token);
  for (const purpose of purposes) {
    const found = read && (await mailTokens.find({ purpose, ...read }));
    if (found && clock.now() < found.expiresAt) {
      return { ...found, permit: await permitNewPassword(ports, found.email) };
    }
  }
  await countRequest(ports, 'account_requests_per_hour_per_ip', sourceIp);
  throw invalidMailToken();
};

/** Longer than a function runs: a holder that still works keeps its token, and that of a crashed one is free again. */
const HOLD_SECONDS = 30;

/**
 * Reserves a token for one caller at a time, so that concurrent requests cannot each hash a password.
 * @returns the write that spends the token, to be committed with what it creates
 * @throws ApiRefusal conflict while another request holds it, such as a double click
 */
export const holdMailToken = async (
  { clock, mailTokens }: FindMailTokenPorts,
  token: string,
  purpose: LinkPurpose,
): Promise<Write> => {
  const read = readMailToken(token);
  const now = clock.now();
  const wanted = read && { purpose, ...read };
  if (wanted && (await mailTokens.hold(wanted, now + HOLD_SECONDS, now))) {
    return mailTokens.spending(wanted);
  }
  throw new ApiRefusal(
    'conflict',
    'A password is being saved with this link right now, perhaps by a second click of yours. Sign in with it in a moment; if that does not work, open the link again in half a minute.',
    [],
    'link in use',
    { retryAfterSeconds: HOLD_SECONDS },
  );
};

export const invalidMailToken = () =>
  new ApiRefusal('invalid_token', 'The link has expired, was used before, or is not complete.');
