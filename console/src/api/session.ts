import { notReached, Problem, problemIn } from './problem.ts';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name?: string;
  readonly plan: string;
  readonly operator?: boolean;
}

export type SessionState =
  | { readonly phase: 'unknown' }
  | { readonly phase: 'signed_out' }
  | { readonly phase: 'signed_in'; readonly account: Account }
  /** The session has ended while somebody was at work: the page stays as it is. */
  | { readonly phase: 'ended'; readonly account: Account };

const CONSOLE = '/v1/mcp-oauth-server/console';

/** Storage key for the account whose drafts this tab has. */
const OWNER = 'account';

/** A token is replaced this long before its end, so that it does not end during a call. */
const MARGIN_MS = 20_000;

interface Token {
  readonly value: string;
  readonly goodUntil: number;
}

interface Answer {
  readonly access_token: string;
  readonly expires_in: number;
  readonly account: Account;
}

/**
 * The token lives here, in memory, and nowhere else: no storage that other scripts or later users of
 * this browser could read. The cookie that buys a new one is out of reach of scripts.
 *
 * Source: OAuth 2.0 for Browser-Based Applications, "Token storage"; docs/decisions/management.md,
 * "The console".
 */
let token: Token | undefined;
let asking: Promise<Token> | undefined;
let state: SessionState = { phase: 'unknown' };
const watchers = new Set<() => void>();
/** Resolves calls that wait for somebody to sign in again. */
let waiting: (() => void)[] = [];

export const sessionState = (): SessionState => state;

export const accountChanged = (part: Pick<Account, 'name'>): void => {
  if (!('account' in state)) return;
  const { name: _, ...others } = state.account;
  become({ ...state, account: { ...others, ...part } });
};

/** @returns a function that ends it */
export const watchSession = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Looks for a session at the start. @throws Problem if the service cannot be reached */
export const resumeSession = async (): Promise<void> => {
  await freshToken().catch((error: unknown) => {
    if (!isSignedOut(error)) throw error;
  });
};

/**
 * A token that is good for a call. Where the session has ended, waits until somebody has signed in again
 * in place: the call then goes on as if nothing had been.
 *
 * @throws Problem if the service cannot be reached, or nobody is signed in
 */
export const bearer = async (): Promise<string> => {
  for (;;) {
    if (token && token.goodUntil - MARGIN_MS > performance.now()) return token.value;
    try {
      return (await freshToken()).value;
    } catch (error) {
      if (!isSignedOut(error) || state.phase !== 'ended') throw error;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }
};

/** Drops a token that the service refused: the next call gets a new one. */
export const forgetToken = (refused: string): void => {
  if (token?.value === refused) token = undefined;
};

/** @throws Problem */
export const signIn = async (email: string, password: string): Promise<void> => {
  const answer = await post('/sign-in', { email, password });
  const { account } = await take(answer);
  become({ phase: 'signed_in', account });
  const goOn = waiting;
  waiting = [];
  for (const one of goOn) one();
};

/** Ends the session and clears all that this browser stores of it. @throws Problem */
export const signOut = async (): Promise<void> => {
  const answer = await post('/sign-out');
  if (!answer.ok) throw await problemIn(answer);
  return changedHands();
};

/** After the account is gone: its session has ended with it. @returns nothing, ever: the page is left */
export const leaveForGood = async (): Promise<never> => {
  await post('/sign-out').catch(() => undefined);
  return changedHands('?removed=yes');
};

/**
 * Somebody else may be next at this browser: what was typed is not theirs, and what waits to be sent must not
 * go to their account.
 *
 * @returns nothing, ever: the page is left
 */
const changedHands = (query = ''): Promise<never> => {
  sessionStorage.clear();
  location.assign(`/v1/console/servers${query}`);
  return new Promise(() => undefined);
};

const freshToken = (): Promise<Token> =>
  (asking ??= post('/token')
    .then(async (answer) => {
      const { account } = await take(answer);
      if (state.phase !== 'signed_in') become({ phase: 'signed_in', account });
      return token as Token;
    })
    .catch((error: unknown) => {
      if (isSignedOut(error)) {
        become(
          state.phase === 'signed_in' || state.phase === 'ended'
            ? { phase: 'ended', account: state.account }
            : { phase: 'signed_out' },
        );
      }
      throw error;
    })
    .finally(() => {
      asking = undefined;
    }));

const take = async (answer: Response): Promise<Answer> => {
  if (!answer.ok) throw await problemIn(answer);
  const given = (await answer.json()) as Answer;
  // Another tab may have changed who is signed in.
  if ('account' in state && state.account.id !== given.account.id) return changedHands();
  claimDrafts(given.account.id);
  token = { value: given.access_token, goodUntil: performance.now() + given.expires_in * 1000 };
  return given;
};

/**
 * A session may end while nobody looks, and somebody else sign in after the page was loaded anew: what was typed
 * is still the first one's.
 */
const claimDrafts = (id: string): void => {
  if (sessionStorage.getItem(OWNER) !== id) sessionStorage.clear();
  sessionStorage.setItem(OWNER, id);
};

const isSignedOut = (error: unknown): boolean => error instanceof Problem && error.status === 401;

const become = (next: SessionState): void => {
  state = next;
  for (const watcher of watchers) watcher();
};

const post = async (path: string, body?: object): Promise<Response> => {
  try {
    return await fetch(`${CONSOLE}${path}`, {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw notReached();
  }
};
