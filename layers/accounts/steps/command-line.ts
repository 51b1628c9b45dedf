import { accountEvent } from '../../events/rules/service-event.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { AccountsPorts } from '../ports.ts';
import { challengeOf, type CommandLineRequest, shownAt } from '../rules/command-line.ts';
import type { User } from '../rules/user.ts';
import { countRequest } from './count-request.ts';
import {
  findMakingSession,
  type FindSessionPorts,
  type LiveSession,
  newSession,
  type StartSessionPorts,
} from './sessions.ts';
import type { PortsOf } from '../../platform/ports.ts';

/** Time between the confirmation in the browser and the program's request on the same machine. */
const CODE_SECONDS = 2 * MINUTE;

export type CommandLinePorts = FindSessionPorts &
  StartSessionPorts &
  PortsOf<typeof countRequest> &
  Pick<AccountsPorts, 'commandLineCodes' | 'events' | 'isFreshAtCommandLine' | 'transactions'>;

/**
 * Makes a code for the waiting program after the user has confirmed in the browser.
 * @returns secret, valid once, for two minutes, and only with the program's verifier
 * Source: docs/decisions/accounts.md, "The command line signs in with a browser".
 */
export const makeCommandLineCode = async (
  {
    clock,
    commandLineCodes,
    random,
  }: Pick<CommandLinePorts, 'clock' | 'commandLineCodes' | 'random'>,
  { challenge }: CommandLineRequest,
  session: LiveSession,
): Promise<string> => {
  const code = random.secret();
  await commandLineCodes.put(fingerprint(code), {
    session: session.fingerprint,
    challenge,
    expiresAt: clock.now() + CODE_SECONDS,
  });
  return code;
};

export interface SentCode {
  readonly code: string;
  readonly verifier: string;
  readonly sourceIp: string;
  readonly userAgent?: string | undefined;
}

/**
 * Signs a program in with the code from the browser. Its session ends with the browser's, so that chained sessions
 * cannot prolong a sign-in, and inherits the time of authentication.
 * @throws ApiRefusal rate_limited, invalid_token
 * Source: docs/decisions/accounts.md, "The command line signs in with a browser".
 */
export const signInByCode = async (
  ports: CommandLinePorts,
  { code, verifier, sourceIp, userAgent }: SentCode,
): Promise<{
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly user: User;
}> => {
  const { clock, commandLineCodes, sessions, transactions } = ports;
  await countRequest(ports, 'logins_per_minute_per_ip', sourceIp);
  const id = fingerprint(code);
  const found = await commandLineCodes.find(id);
  const isGood =
    found && clock.now() < found.expiresAt && found.challenge === challengeOf(verifier);
  const browser = isGood ? await findMakingSession(ports, found.session) : undefined;
  if (!browser) throw unusable();
  const { user, asOf, provider, expiresAt: until } = browser;
  const { started, session } = newSession(ports, user, 'api', {
    until,
    asOf,
    userAgent,
    signedInAt: await signedInAtOf(ports, browser),
    provider,
  });
  // Signed before the code is spent, so that the code stays valid if signing fails.
  const { token: accessToken, expiresInSeconds } = await started();
  const spent = await transactions.commit({
    code: commandLineCodes.spending(id),
    session: sessions.storing(session.fingerprint, session.record),
  });
  if (spent.size > 0) throw unusable();
  ports.events.record(
    accountEvent(
      'command_line_signed_in',
      user,
      'a program was signed in from a browser',
      addressSubject(sourceIp),
    ),
  );
  return { accessToken, expiresInSeconds, user };
};

/** Time of authentication. A time that the provider did not send itself counts unless operators decided otherwise. */
const signedInAtOf = async (
  { isFreshAtCommandLine }: Pick<CommandLinePorts, 'isFreshAtCommandLine'>,
  session: LiveSession,
): Promise<EpochSeconds> => {
  const { provider, signedInAt } = session;
  const at = shownAt(session);
  const isBelieved =
    at === signedInAt || (provider !== undefined && (await isFreshAtCommandLine(provider)));
  return isBelieved ? at : signedInAt;
};

const unusable = () =>
  new ApiRefusal(
    'invalid_token',
    'The code was used before, is of another program, or its time is over. Begin again: npx --no-install hosted-mcp login',
  );
