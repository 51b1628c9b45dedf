import { readMailToken } from '../../domain/accounts/mail-token.ts';
import type { MailPurpose, MailToken } from '../../domain/accounts/user.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { countRequest, type CountRequestPorts } from './count-request.ts';

export type FindMailTokenPorts = Pick<Ports, 'clock' | 'mailTokens'>;

/**
 * What a token stands for, for who is about to use it. Looking uses nothing up: mail scanners look. Those who
 * guess are counted.
 *
 * @throws ApiRefusal invalid_token, rate_limited
 */
export const expectMailToken = async (
  ports: FindMailTokenPorts & CountRequestPorts,
  token: string,
  purpose: MailPurpose,
  sourceIp: string,
): Promise<MailToken> => {
  const { clock, mailTokens } = ports;
  const read = readMailToken(token);
  const found = read && (await mailTokens.find({ purpose, ...read }));
  if (found && clock.now() < found.expiresAt) return found;
  await countRequest(ports, 'account_requests_per_hour_per_ip', sourceIp);
  throw invalidMailToken();
};

/** @returns whether it could be used, which is told to one caller */
export const takeMailToken = async (
  { mailTokens }: FindMailTokenPorts,
  token: string,
  purpose: MailPurpose,
): Promise<boolean> => {
  const read = readMailToken(token);
  return read !== undefined && (await mailTokens.take({ purpose, ...read })) !== undefined;
};

export const invalidMailToken = () =>
  new ApiRefusal('invalid_token', 'The link has expired, was used before, or is not complete.');
