import { authorizationServer } from '../../platform/rules/addresses.ts';
import { writeMailToken } from '../rules/mail-token.ts';
import type { MailToken, NoticeKind } from '../rules/user.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { HOUR } from '../../platform/rules/time.ts';
import type { AccountsPorts } from '../ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { PlatformSettings } from '../../platform/ports.ts';

export const RESET_SECONDS = HOUR;

type LinkPorts = Pick<AccountsPorts, 'clock' | 'mailTokens' | 'random'> & {
  readonly settings: PlatformSettings & LimitsSettings;
};

/**
 * @param email - canonical
 * @param slug - of the server that its reader was invited to, and goes on to
 * @returns the address for the mail
 */
export const signUpLink = async (
  ports: LinkPorts,
  email: string,
  slug?: string,
): Promise<string> => {
  const expiresAt = ports.clock.now() + ports.settings.limits.email_verification_seconds;
  const token = await issue(ports, {
    purpose: slug === undefined ? 'sign_up' : 'invitation',
    email,
    expiresAt,
  });
  const invited = slug === undefined ? '' : `&server=${slug}`;
  return `${pages(ports.settings)}/verify?token=${token}${invited}`;
};

/** To the sign-in of a company, and from there to a server. */
export const companyLink = (
  settings: PlatformSettings & LimitsSettings,
  provider: string,
  slug: string,
): string => `${pages(settings)}/sign-in/${provider}?server=${slug}`;

/** @param email - canonical. @returns the address for the mail */
export const resetLink = async (ports: LinkPorts, email: string): Promise<string> => {
  const expiresAt = ports.clock.now() + RESET_SECONDS;
  const token = await issue(ports, { purpose: 'reset_password', email, expiresAt });
  return `${pages(ports.settings)}/reset/confirm?token=${token}`;
};

/** Where a mail sends somebody without a token. */
export const resetPage = (settings: PlatformSettings & LimitsSettings): string =>
  `${pages(settings)}/reset`;

/** The page of the console on which an owner can do something about it. */
export const noticeLink = (
  { baseUrl }: PlatformSettings & LimitsSettings,
  kind: NoticeKind,
  slug: string,
): string => {
  const place = PLACES[kind];
  return place === undefined ? `${baseUrl}/console` : `${baseUrl}/console/servers/${slug}${place}`;
};

/** Below the page of the server; undefined where it is the reader's no more. */
const PLACES: Readonly<Record<NoticeKind, string | undefined>> = {
  credential_refused: '/credentials',
  update_held_back: '/versions',
  description_unreachable: '/versions',
  server_given: undefined,
  server_received: '',
};

/** The token is made where the mail is written: it passes through no event and no queue. */
const issue = async ({ mailTokens, random }: LinkPorts, record: MailToken): Promise<string> => {
  const secret = random.secret();
  await mailTokens.put(fingerprint(secret), record);
  return writeMailToken(record.email, secret);
};

const pages = ({ baseUrl }: PlatformSettings & LimitsSettings): string =>
  authorizationServer(baseUrl);
