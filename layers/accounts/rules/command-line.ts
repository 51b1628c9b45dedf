import { createHash } from 'node:crypto';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';

/**
 * A program at a command line that listens on its own machine while its user signs in with a browser there.
 * Source: RFC 8252 §7.3; docs/decisions/accounts.md, "The command line signs in with a browser".
 */
export interface CommandLineRequest {
  /** Port on 127.0.0.1 on which it listens. */
  readonly port: number;
  /** S256 challenge for a secret that only the program knows. Source: RFC 7636 §4.2. */
  readonly challenge: string;
  /** Random value that lets the program recognize the answer to its own request. */
  readonly state: string;
}

const SECRET = /^[\w-]{43}$/;
const PORT = /^[1-9]\d{3,4}$/;
/** Lower ports are privileged, so no program of a user listens there. */
const FIRST_PORT = 1024;
const LAST_PORT = 65_535;

/** @param parameter - value of a parameter that was sent once, else empty */
export const commandLineRequest = (
  parameter: (name: 'challenge' | 'port' | 'state') => string,
): CommandLineRequest | undefined => {
  const [typed, challenge, state] = [parameter('port'), parameter('challenge'), parameter('state')];
  const port = PORT.test(typed) ? Number(typed) : 0;
  const isUsable =
    port >= FIRST_PORT && port <= LAST_PORT && SECRET.test(challenge) && SECRET.test(state);
  return isUsable ? { port, challenge, state } : undefined;
};

export const commandLinePath = (page: string, { port, challenge, state }: CommandLineRequest) =>
  `${page}?${new URLSearchParams({ port: String(port), challenge, state }).toString()}`;

/** Redirect target on the same machine: an IP address, since `localhost` could resolve elsewhere. */
export const loopbackAddress = (
  { port, state }: CommandLineRequest,
  answer: { readonly code: string } | { readonly error: 'access_denied' },
): string =>
  `http://127.0.0.1:${port}/callback?${new URLSearchParams({ ...answer, state }).toString()}`;

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** Consonants only, so that they form no words, and none that resembles another letter or digit. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LETTERS_SHOWN = 4;

/** Letters to copy from the terminal: a victim of a phishing link, who did not start the program, cannot see them. */
export const lettersOf = (challenge: string): string => {
  const bytes = createHash('sha256').update(`letters ${challenge}`).digest();
  return [...bytes.subarray(0, LETTERS_SHOWN)]
    .map((byte) => LETTERS.charAt(byte % LETTERS.length))
    .join('');
};

/** Ignores case, spaces and hyphens. */
export const areLettersOf = (typed: string, challenge: string): boolean =>
  typed.replaceAll(/[\s-]/g, '').toUpperCase() === lettersOf(challenge);

/** Credentials that outlive the session, such as one for a command line, require a sign-in this recent. */
const RECENT_SECONDS = 10 * MINUTE;

/** What a session records about the moment of authentication. */
export interface ShownWhen {
  /** 0 where the identity provider sends no `auth_time`. */
  readonly signedInAt: EpochSeconds;
  readonly createdAt: EpochSeconds;
  /** Whether the provider was asked to authenticate anew (`prompt=login`). */
  readonly askedAnew: boolean;
}

/**
 * When the user last authenticated. Without `auth_time`, the session's start counts if the provider was asked for
 * `prompt=login`; otherwise it may have signed in whoever used the browser, silently.
 * @returns 0 where it is unknown
 */
export const shownAt = ({ signedInAt, createdAt, askedAnew }: ShownWhen): EpochSeconds =>
  signedInAt === 0 && askedAnew ? createdAt : signedInAt;

export const isRecent = (session: ShownWhen, now: EpochSeconds): boolean =>
  now - shownAt(session) <= RECENT_SECONDS;
