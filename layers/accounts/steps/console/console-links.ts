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

/** Seconds, unless its maker wants more. */
const CONSOLE_LINK_SECONDS = 60;
export const CONSOLE_LINK_MAX_SECONDS = 600;

export type ConsoleLinkPorts = FindSessionPorts &
  StartSessionPorts &
  PortsOf<typeof countRequest> &
  CountWorkPorts &
  Pick<AccountsPorts, 'consoleLinks' | 'events' | 'log' | 'transactions'>;

export interface MadeConsoleLink {
  /** A secret, good once. */
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * A link by which a browser is signed in as whoever a program is signed in as. What a browser's session has
 * lent makes none: a session would prolong itself by it.
 *
 * @throws ApiRefusal invalid_session, rate_limited
 *
 * Source: docs/decisions/accounts.md, "Links to the console".
 */
export const makeConsoleLink = async (
  ports: ConsoleLinkPorts,
  authorization: string | undefined,
  expiresInSeconds: number = CONSOLE_LINK_SECONDS,
): Promise<MadeConsoleLink> => {
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
 * Who would be signed in by a link. Looking uses nothing up; those who guess are counted.
 *
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
  /** The cookie of the session that it had. */
  readonly before: string | undefined;
  readonly userAgent: string | undefined;
}

/**
 * Signs a browser in by a link, once. The session ends when that of the program would have, and is as old as that for
 * what asks how long ago somebody has shown who they are.
 *
 * @throws ApiRefusal invalid_token, rate_limited
 */
export const followConsoleLink = async (
  ports: ConsoleLinkPorts,
  token: string,
  { sourceIp, before, userAgent }: FollowingBrowser,
): Promise<{ readonly user: User; readonly started: StartedSession }> => {
  const { consoleLinks, sessions, transactions } = ports;
  const { user, expiresAt, signedInAt, provider } = await expectConsoleLink(ports, token, sourceIp);
  const { started: sign, session } = newSession(ports, user, 'browser', {
    until: expiresAt,
    userAgent,
    signedInAt,
    provider,
  });
  // Signed before the link is spent: a failure leaves it good.
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
