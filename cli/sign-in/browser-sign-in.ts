import { randomBytes } from 'node:crypto';
import {
  challengeOf,
  commandLinePath,
  lettersOf,
} from '../../layers/accounts/rules/command-line.ts';
import type { Context } from '../command.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { messageOf } from '../text/words.ts';
import { plain } from '../text/plain.ts';
import { type Brought, openLoopback, type Told } from './loopback.ts';
import { type OpenedSession, sessionIn } from './session-in.ts';

/** As long as a sign-in with a company may take. */
const MINUTES = 10;

/**
 * Signs in with the browser: with a password or at the person's company, as the service's own page says. The address is
 * shown, and opened where a browser may be; what comes back is worth nothing to whoever else reads it.
 *
 * @throws Failure
 *
 * Source: RFC 8252 §6, §7.3; docs/decisions/accounts.md, "The command line signs in with a browser".
 */
export const signInByBrowser = async ({
  api,
  ask,
  output,
  world,
}: Pick<Context, 'api' | 'ask' | 'output' | 'world'>): Promise<OpenedSession> => {
  if (!ask.isPossible) throw nobodyThere();
  const verifier = secret();
  const state = secret();
  const challenge = challengeOf(verifier);
  const loopback = await openLoopback(state);
  try {
    const page = `${api.baseUrl}/mcp-oauth-server/sign-in/command-line`;
    const { port } = loopback;
    const address = commandLinePath(page, { port, challenge, state });
    // Like a question: without it nobody can answer, whatever is done with the result.
    const show = (line: string): void => void world.stderr.write(`${plain(line)}\n`);
    show(`Sign in with your browser at\n`);
    show(`  ${address}\n`);
    show(`The page asks for these letters: ${[...lettersOf(challenge)].join(' ')}`);
    if (isElsewhere(world.environment)) {
      show(
        `This is a session of SSH. For a browser on your own machine, run there first: ssh -L ${port}:127.0.0.1:${port} ${hostOf(world.environment)}`,
      );
    } else {
      world.browse?.(address);
    }
    output.note(`Waiting for ${MINUTES} minutes; Ctrl-C ends it.`);
    const session = await loopback.answered(
      (brought) => opened({ api, world }, brought, verifier),
      MINUTES * 60_000,
    );
    if (session === undefined) throw tooLate();
    if (session instanceof Failure) throw session;
    return session;
  } finally {
    await loopback.close();
  }
};

const secret = (): string => randomBytes(32).toString('base64url');

/** A failure is found, too: the browser says what the terminal does. */
const opened = async (
  { api, world }: Pick<Context, 'api' | 'world'>,
  brought: Brought,
  verifier: string,
): Promise<{ readonly told: Told; readonly found: OpenedSession | Failure }> => {
  if ('refused' in brought) return failed(cancelled());
  try {
    const startedAt = world.now();
    const answer = await api.callOpenly('POST /sessions', {
      json: { code: brought.code, verifier },
    });
    const found = sessionIn(answer, startedAt);
    return {
      found,
      told: {
        heading: 'You are signed in at the command line',
        text: `As ${found.email}. Close this page, and go back to your terminal.`,
      },
    };
  } catch (error) {
    if (error instanceof Failure) return failed(error);
    throw error;
  }
};

const failed = (found: Failure) => ({
  found,
  told: { heading: 'You are not signed in at the command line', text: messageOf(found) },
});

const cancelled = () =>
  new Failure(EXIT.notSignedIn, 'cancelled', 'The sign-in was cancelled in the browser.');

const tooLate = () =>
  new Failure(EXIT.notSignedIn, 'timed_out', `Nobody signed in within ${MINUTES} minutes.`, {
    hint: 'Begin again: npx --no-install hosted-mcp login. If the browser could not reach this program, it runs on another machine: ssh -L forwards the port.',
  });

const nobodyThere = () =>
  usageFailure(
    'Not a terminal, so nobody can sign in with a browser here.',
    'Programs sign in without one: npx --no-install hosted-mcp trust add --help, or personal-token add --help. With a password: login EMAIL --password-stdin.',
  );

type Environment = Context['world']['environment'];

/** The browser of that machine would be nobody's. */
const isElsewhere = ({ SSH_CONNECTION, SSH_TTY }: Environment): boolean =>
  Boolean(SSH_CONNECTION || SSH_TTY);

/** As the person has reached this machine, as far as it knows. */
const hostOf = ({ SSH_CONNECTION = '', USER = 'user' }: Environment): string => {
  const [, , address = ''] = SSH_CONNECTION.split(' ');
  return `${USER}@${address || 'this-machine'}`;
};
