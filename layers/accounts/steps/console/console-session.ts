import type { CompanyPage } from '../../rules/password-terms.ts';
import type { User } from '../../rules/user.ts';
import {
  CONSOLE_TOKEN_SECONDS,
  consoleClaims,
  SESSION_TYPE,
} from '../../../tokens/rules/own-jwts.ts';
import { authorizationServer } from '../../../platform/rules/addresses.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../../ports.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import type { TokensPorts } from '../../../tokens/ports.ts';
import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { NOT_SIGNED_IN } from '../api-session.ts';
import {
  endBrowserSession,
  findBrowserSession,
  type FindSessionPorts,
  type LiveSession,
  type StartedSession,
  startSession,
  type StartSessionPorts,
} from '../sessions.ts';
import { type SignedIn, type SignIn, signIn } from '../sign-in.ts';

/** Access token of a console page, held in memory only. */
export interface ConsoleToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  /** Lifetime of the browser's session, which no token exceeds. */
  readonly sessionExpiresInSeconds: number;
  readonly user: User;
  /** Page where a session from a company signs in again. */
  readonly company: CompanyPage | undefined;
}

export type IssueConsoleTokenPorts = FindSessionPorts &
  CountWorkPorts &
  Pick<TokensPorts, 'clock' | 'signer'> &
  Pick<AccountsPorts, 'asksAddressFirst' | 'companyPage'> & { readonly settings: PlatformSettings };

/**
 * Issues an access token for console pages from the browser's session.
 * @param cookie - the session cookie; a token from anywhere else must not be passed
 * @throws ApiRefusal invalid_session, rate_limited
 * Source: docs/decisions/accounts.md, "Sessions of the console".
 */
export const issueConsoleToken = async (
  ports: IssueConsoleTokenPorts,
  cookie: string | undefined,
): Promise<ConsoleToken> => {
  const session = await findBrowserSession(ports, cookie);
  if (!session) throw await signedOut(ports);
  await countWork(ports, 'console_tokens_per_minute_per_user', session.user.id);
  return tokenOf(ports, session);
};

/** Names the sign-in page where the address decides how to sign in. */
const signedOut = async ({
  asksAddressFirst,
  settings,
}: Pick<IssueConsoleTokenPorts, 'asksAddressFirst' | 'settings'>): Promise<ApiRefusal> => {
  const signInAt = (await asksAddressFirst())
    ? `${authorizationServer(settings.baseUrl)}/sign-in`
    : undefined;
  const details = signInAt === undefined ? {} : { signInAt };
  return new ApiRefusal('invalid_session', SIGNED_OUT, [], SIGNED_OUT, details);
};

const SIGNED_OUT = 'Nobody is signed in in this browser, or the session has ended: sign in.';

export interface ConsoleSignIn extends SignedIn {
  readonly started: StartedSession;
  readonly lent: ConsoleToken;
}

/**
 * Signs a browser in without leaving a console page, under the limits and locks of the login page. The browser's
 * earlier session ends.
 * @param before - cookie of the earlier session
 * @throws ApiRefusal rate_limited, invalid_credentials
 * Source: docs/decisions/accounts.md, "Sessions of the console".
 */
export const signInToConsole = async (
  ports: PortsOf<typeof signIn> &
    StartSessionPorts &
    IssueConsoleTokenPorts &
    Pick<AccountsPorts, 'sessions'>,
  sent: SignIn,
  before: string | undefined,
): Promise<ConsoleSignIn> => {
  const signedIn = await signIn(ports, sent);
  if (!signedIn) throw new ApiRefusal('invalid_credentials', NOT_SIGNED_IN);
  await endBrowserSession(ports, before);
  const started = await startSession(ports, signedIn.user, 'browser', {
    userAgent: sent.userAgent,
    until: signedIn.until,
    asOf: signedIn.asOf,
  });
  return { ...signedIn, started, lent: await tokenOf(ports, started.session) };
};

const tokenOf = async (
  {
    clock,
    companyPage,
    settings,
    signer,
  }: Omit<IssueConsoleTokenPorts, keyof FindSessionPorts> &
    Pick<IssueConsoleTokenPorts, 'clock' | 'settings'>,
  { user, fingerprint, expiresAt: sessionExpiresAt, provider }: LiveSession,
): Promise<ConsoleToken> => {
  const createdAt = clock.now();
  const expiresAt = Math.min(createdAt + CONSOLE_TOKEN_SECONDS, sessionExpiresAt);
  const claims = consoleClaims(settings.baseUrl, fingerprint, {
    userId: user.id,
    createdAt,
    expiresAt,
  });
  return {
    accessToken: await signer.sign(SESSION_TYPE, claims),
    expiresInSeconds: expiresAt - createdAt,
    sessionExpiresInSeconds: sessionExpiresAt - createdAt,
    user,
    company: provider === undefined ? undefined : await companyPage(provider),
  };
};
