import { accountEvent } from '../../../events/rules/service-event.ts';
import { addressSubject } from '../../../platform/rules/subject.ts';
import type { User } from '../../rules/user.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { afterwards } from '../../../platform/rules/afterwards.ts';
import type { AccountsPorts } from '../../ports.ts';
import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { countRequest } from '../count-request.ts';
import { requireSessionOf } from '../require-session.ts';
import {
  endBrowserSession,
  findMakingSession,
  type FindSessionPorts,
  type LiveSession,
  newSession,
  type StartedSession,
  type StartSessionPorts,
} from '../sessions.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const CONSOLE_LINK_SECONDS = 60;
export const CONSOLE_LINK_MAX_SECONDS = 600;

export type ConsoleLinkPorts = FindSessionPorts &
  StartSessionPorts &
  PortsOf<typeof countRequest> &
  CountWorkPorts &
  Pick<AccountsPorts, 'consoleLinks' | 'events' | 'log' | 'transactions'>;

/**
 * Makes a link that signs a browser in as the user of the calling program. Console tokens are refused: a browser
 * session could prolong itself with such links.
 * @throws ApiRefusal invalid_session, rate_limited
 * Source: docs/decisions/accounts.md, "Links to the console".
 */
export const makeConsoleLink = async (
  ports: ConsoleLinkPorts,
  authorization: string | undefined,
  expiresInSeconds: number = CONSOLE_LINK_SECONDS,
): Promise<{ readonly token: string; readonly expiresInSeconds: number }> => {
  const { clock, consoleLinks, random } = ports;
  const session = await requireSessionOf(ports, authorization);
  if (session.id === undefined) {
    throw new ApiRefusal('invalid_session', NOT_BY_CONSOLE, [], 'lent by a browser session');
  }
  await countWork(ports, 'console_tokens_per_minute_per_user', session.user.id);
  const token = random.secret();
  const expiresAt = clock.now() + expiresInSeconds;
  await consoleLinks.put(fingerprint(token), { session: session.fingerprint, expiresAt });
  return { token, expiresInSeconds };
};

const NOT_BY_CONSOLE =
  'Sign in at the command line first (`npx --no-install hosted-mcp login`): the console makes no links to itself.';

/**
 * Session that a link would give. This does not consume the link; failed attempts are rate-limited.
 * @throws ApiRefusal invalid_token, rate_limited
 */
export const expectConsoleLink = async (
  ports: ConsoleLinkPorts,
  token: string,
  sourceIp: string,
): Promise<LiveSession> => {
  const { clock, consoleLinks } = ports;
  const found = await consoleLinks.find(fingerprint(token));
  const session =
    found && clock.now() < found.expiresAt
      ? await findMakingSession(ports, found.session)
      : undefined;
  if (session) return session;
  await countRequest(ports, 'account_requests_per_hour_per_ip', sourceIp);
  throw invalidLink();
};

export interface FollowingBrowser {
  readonly sourceIp: string;
  /** Session cookie that the browser had before. */
  readonly before: string | undefined;
  readonly userAgent: string | undefined;
}

/**
 * Signs a browser in with a one-time link. The new session ends when the program's session would have, and inherits its
 * time of authentication.
 * @throws ApiRefusal invalid_token, rate_limited
 */
export const followConsoleLink = async (
  ports: ConsoleLinkPorts,
  token: string,
  { sourceIp, before, userAgent }: FollowingBrowser,
): Promise<{ readonly user: User; readonly started: StartedSession }> => {
  const { consoleLinks, sessions, transactions } = ports;
  const found = await expectConsoleLink(ports, token, sourceIp);
  const { user, asOf, expiresAt, signedInAt, provider } = found;
  const { started: sign, session } = newSession(ports, user, 'browser', {
    until: expiresAt,
    asOf,
    userAgent,
    signedInAt,
    provider,
  });
  // Signed before the link is spent, so that the link stays valid if signing fails.
  const started = await sign();
  const spent = await transactions.commit({
    link: consoleLinks.spending(fingerprint(token)),
    session: sessions.storing(session.fingerprint, session.record),
  });
  if (spent.size > 0) throw invalidLink();
  await afterwards(ports, 'the session that the browser had', () =>
    endBrowserSession(ports, before),
  );
  ports.events.record(
    accountEvent(
      'console_link_used',
      user,
      'a browser was signed in by a link',
      addressSubject(sourceIp),
    ),
  );
  return { user, started };
};

const invalidLink = () =>
  new ApiRefusal('invalid_token', 'The link was used before, or its time is over.');
