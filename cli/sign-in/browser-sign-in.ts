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

/** Minutes that suffice for a sign-in with a company. */
const MINUTES = 10;

/**
 * A code from the browser is useless without the verifier. @throws Failure. Source: RFC 8252 §6, §7.3;
 * docs/decisions/accounts.md, "The command line signs in with a browser".
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
    // The URL is shown even with `--json`, as questions are: without it nobody could sign in.
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

/** Redeems the code; browser and terminal report the same outcome. */
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

/** Over SSH a browser would open on the wrong machine. */
const isElsewhere = ({ SSH_CONNECTION, SSH_TTY }: Environment): boolean =>
  Boolean(SSH_CONNECTION || SSH_TTY);

/** User and address by which the person reached this machine. */
const hostOf = ({ SSH_CONNECTION = '', USER = 'user' }: Environment): string => {
  const [, , address = ''] = SSH_CONNECTION.split(' ');
  return `${USER}@${address || 'this-machine'}`;
};
