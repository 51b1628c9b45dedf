import { createHash } from 'node:crypto';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';

/**
 * A program at a command line that waits on its own machine for somebody to sign in with a browser there.
 *
 * Source: RFC 8252 §7.3; docs/decisions/accounts.md, "The command line signs in with a browser".
 */
export interface CommandLineRequest {
  /** Of 127.0.0.1, where it listens. */
  readonly port: number;
  /** Of a secret that it alone has, by S256. Source: RFC 7636 §4.2. */
  readonly challenge: string;
  /** By which it knows its own answer. */
  readonly state: string;
}

const SECRET = /^[\w-]{43}$/;
const PORT = /^[1-9]\d{3,4}$/;
/** Ports below are for the system, and whoever listens there is no program of a person. */
const FIRST_PORT = 1024;
const LAST_PORT = 65_535;

/** @param parameter - the one value of each parameter, empty where there is none or two */
export const commandLineRequest = (
  parameter: (name: 'challenge' | 'port' | 'state') => string,
): CommandLineRequest | undefined => {
  const [typed, challenge, state] = [parameter('port'), parameter('challenge'), parameter('state')];
  const port = PORT.test(typed) ? Number(typed) : 0;
  const isUsable =
    port >= FIRST_PORT && port <= LAST_PORT && SECRET.test(challenge) && SECRET.test(state);
  return isUsable ? { port, challenge, state } : undefined;
};

/** Its path, below our origin. @param page - the path of the page */
export const commandLinePath = (page: string, { port, challenge, state }: CommandLineRequest) =>
  `${page}?${new URLSearchParams({ port: String(port), challenge, state }).toString()}`;

/** Where the browser goes with the answer: the same machine alone, whose address is written, since names may be changed. */
export const loopbackAddress = (
  { port, state }: CommandLineRequest,
  answer: { readonly code: string } | { readonly error: 'access_denied' },
): string =>
  `http://127.0.0.1:${port}/callback?${new URLSearchParams({ ...answer, state }).toString()}`;

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** No vowels, so that they are no word, and none that is read as another or as a digit. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LETTERS_SHOWN = 4;

/**
 * What the terminal shows and the page asks for, so that nobody signs a program in that somebody else has started and
 * sent the link of: who has no such terminal has nothing to type.
 */
export const lettersOf = (challenge: string): string => {
  const bytes = createHash('sha256').update(`letters ${challenge}`).digest();
  return [...bytes.subarray(0, LETTERS_SHOWN)]
    .map((byte) => LETTERS.charAt(byte % LETTERS.length))
    .join('');
};

/** Whether somebody has typed them, however they wrote them. */
export const areLettersOf = (typed: string, challenge: string): boolean =>
  typed.replaceAll(/[\s-]/g, '').toUpperCase() === lettersOf(challenge);

/** What outlives a session is made soon after a sign-in, and is asked for at the command line, too. */
const RECENT_SECONDS = 10 * MINUTE;

/** What a session says of when its user has shown who they are. */
export interface ShownWhen {
  /** 0 where their company does not say when. */
  readonly signedInAt: EpochSeconds;
  readonly createdAt: EpochSeconds;
  /** Whether their company was told to ask them for it (`prompt=login`). */
  readonly askedAnew: boolean;
}

/**
 * When somebody has shown who they are. Of a company that does not say when, it is when they came from it, if it was told
 * to ask them: otherwise it may have signed in whoever sat at the browser, without a word.
 *
 * @returns 0 where nobody knows
 */
export const shownAt = ({ signedInAt, createdAt, askedAnew }: ShownWhen): EpochSeconds =>
  signedInAt === 0 && askedAnew ? createdAt : signedInAt;

/** Whether they have a moment ago: from other sessions of browsers nobody signs a program in. */
export const isRecent = (session: ShownWhen, now: EpochSeconds): boolean =>
  now - shownAt(session) <= RECENT_SECONDS;
