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
 * @param slug - server that the reader was invited to and is sent to afterwards
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

/** Link that signs in at a company's identity provider and then goes on to a server. */
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

/** The page that asks for a reset mail: a link without a token, for mails that must not carry one. */
export const resetPage = (settings: PlatformSettings & LimitsSettings): string =>
  `${pages(settings)}/reset`;

/** Page of the console where the owner can act on the notice. */
export const noticeLink = (
  { baseUrl }: PlatformSettings & LimitsSettings,
  kind: NoticeKind,
  slug: string,
): string => {
  const place = PLACES[kind];
  return place === undefined ? `${baseUrl}/console` : `${baseUrl}/console/servers/${slug}${place}`;
};

/** Path below the server's page; undefined where the reader no longer owns the server. */
const PLACES: Readonly<Record<NoticeKind, string | undefined>> = {
  credential_refused: '/credentials',
  update_held_back: '/versions',
  description_unreachable: '/versions',
  server_given: undefined,
  server_received: '',
};

/** Creates the token only while the mail is written, so that no event or queue ever contains it. */
const issue = async ({ mailTokens, random }: LinkPorts, record: MailToken): Promise<string> => {
  const secret = random.secret();
  await mailTokens.put(fingerprint(secret), record);
  return writeMailToken(record.email, secret);
};

const pages = ({ baseUrl }: PlatformSettings & LimitsSettings): string =>
  authorizationServer(baseUrl);
