import { authorizationServer } from '../../domain/addresses.ts';
import { beginning, isSignedOut } from '../../domain/accounts/signed-out.ts';
import type { MailToken, User } from '../../domain/accounts/user.ts';
import { fingerprint } from '../../domain/oauth/records.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import { HOUR } from '../../domain/time.ts';
import type { Ports, Settings } from '../../ports.ts';
import { countRequest, type CountRequestPorts } from './count-request.ts';

export const RESET_SECONDS = HOUR;

type IssuePorts = Pick<Ports, 'clock' | 'mailTokens' | 'mint' | 'settings'>;

/** @param passwordHash - of the sign-up that is confirmed. @returns the address for the mail */
export const verificationLink = async (
  ports: IssuePorts,
  { id: userId }: User,
  passwordHash: string,
): Promise<string> => {
  const expiresAt = ports.clock.now() + ports.settings.limits.email_verification_seconds;
  const token = await issue(ports, { purpose: 'verify_email', userId, passwordHash, expiresAt });
  return `${pages(ports.settings)}/verify?token=${token}`;
};

/** @returns the address for the mail */
export const resetLink = async (ports: IssuePorts, user: User): Promise<string> => {
  const expiresAt = beginning(user, ports.clock.now()) + RESET_SECONDS;
  const token = await issue(ports, { purpose: 'reset_password', userId: user.id, expiresAt });
  return `${pages(ports.settings)}/reset/confirm?token=${token}`;
};

/** Pages where a mail sends somebody without a token. */
export const resetPage = (settings: Settings): string => `${pages(settings)}/reset`;
export const signUpPage = (settings: Settings): string => `${pages(settings)}/signup`;

const issue = async ({ mailTokens, mint }: IssuePorts, record: MailToken): Promise<string> => {
  const token = mint.secret();
  await mailTokens.put(fingerprint(token), record);
  return token;
};

const pages = ({ baseUrl }: Settings): string => authorizationServer(baseUrl);

export type FindMailTokenPorts = Pick<Ports, 'clock' | 'mailTokens' | 'users'>;

/** Whose token this is, as long as it can be used. Looking uses nothing up: mail scanners look. */
export const findMailToken = async (
  { clock, mailTokens, users }: FindMailTokenPorts,
  token: string,
  purpose: MailToken['purpose'],
): Promise<{ readonly user: User; readonly record: MailToken } | undefined> => {
  const record = await mailTokens.find(fingerprint(token));
  if (record?.purpose !== purpose || clock.now() >= record.expiresAt) return undefined;
  const user = await users.find(record.userId);
  if (!user || isSpent(record, user)) return undefined;
  return { user, record };
};

/** One reset ends the links of all others that were asked for before. */
const isSpent = ({ purpose, expiresAt }: MailToken, user: User): boolean =>
  purpose === 'reset_password' && isSignedOut(user, expiresAt - RESET_SECONDS);

/**
 * The same, for who is about to use it; those who guess are counted.
 *
 * @throws ApiRefusal invalid_token, rate_limited
 */
export const expectMailToken = async (
  ports: FindMailTokenPorts & CountRequestPorts,
  token: string,
  purpose: MailToken['purpose'],
  sourceIp: string,
): Promise<{ readonly user: User; readonly record: MailToken }> => {
  const found = await findMailToken(ports, token, purpose);
  if (found) return found;
  await countRequest(ports, 'account_requests_per_hour_per_ip', sourceIp);
  throw invalidMailToken();
};

export const invalidMailToken = () =>
  new ApiRefusal('invalid_token', 'The link has expired, was used before, or is not complete.');
