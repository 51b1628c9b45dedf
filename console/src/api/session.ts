import { isPage, notReached, Problem, problemIn } from './problem.ts';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name?: string;
  readonly plan: string;
  readonly operator?: boolean;
}

export type SessionState =
  | { readonly phase: 'unknown' }
  /** `signInAt`: page that asks for the e-mail address, if the address decides where somebody signs in. */
  | { readonly phase: 'signed_out'; readonly signInAt?: string | undefined }
  | ({ readonly phase: 'signed_in' } & SignedIn)
  /** The session ended, or is too old for an action, while the console was in use: the page stays as it is. */
  | ({
      readonly phase: 'ended';
      readonly isTooOld: boolean;
      /** End of the session that is too old; a later end shows a new sign-in. */
      readonly formerEnd: number;
    } & SignedIn);

interface SignedIn {
  readonly account: Account;
  readonly company?: Company | undefined;
}

export interface Company {
  readonly name: string;
  readonly sign_in_at: string;
}

const CONSOLE = '/v1/mcp-oauth-server/console';

/** Key in session storage of the account whose drafts this tab holds. */
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
  readonly session_expires_in: number;
  readonly account: Account;
  readonly company?: Company;
}

/**
 * The access token is kept in memory only, since other scripts and later users of this browser could read a
 * storage. The cookie that buys a new token is out of reach of scripts.
 * Source: OAuth 2.0 for Browser-Based Applications, "Token storage"; docs/decisions/management.md, "The console".
 */
let token: Token | undefined;
let asking: Promise<Token> | undefined;
let state: SessionState = { phase: 'unknown' };
const watchers = new Set<() => void>();
/** End of the session in milliseconds of `performance.now()`. Each sign-in makes it later. */
let sessionEnds = 0;
/** Calls that wait for a new sign-in. They are given false if the person declines it. */
let waiting: ((isSignedIn: boolean) => void)[] = [];

export const sessionState = (): SessionState => state;

export const accountChanged = (part: Pick<Account, 'name'>): void => {
  if (!('account' in state)) return;
  const { name: _, ...others } = state.account;
  become({ ...state, account: { ...others, ...part } });
};

/** @returns a function that ends the watch */
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
 * An access token that is valid for a call. If the session has ended, it waits until the person has signed in
 * again, and the call then goes on.
 * @throws Problem if the service cannot be reached, or nobody is signed in
 */
export const bearer = async (): Promise<string> => {
  for (;;) {
    if (token && token.goodUntil - MARGIN_MS > performance.now()) return token.value;
    try {
      return (await freshToken()).value;
    } catch (error) {
      if (!isSignedOut(error) || state.phase !== 'ended') throw error;
      await anotherSignIn();
    }
  }
};

const anotherSignIn = () => new Promise<boolean>((resolve) => waiting.push(resolve));

/** Shows the sign-in over the page, for an action that needs a recent one. @returns false if the person declines */
export const signInAgain = async (): Promise<boolean> => {
  if (!('account' in state)) return false;
  const { account, company } = state;
  become({ phase: 'ended', isTooOld: true, formerEnd: sessionEnds, account, company });
  return anotherSignIn();
};

/** The person declines to sign in again: the action that needs it is not done. */
export const goOnWithout = (): void => {
  if (state.phase !== 'ended') return;
  const { account, company } = state;
  become({ phase: 'signed_in', account, company });
  release(false);
};

/** Checks whether the person has signed in again in another tab. @throws Problem */
export const lookForSignIn = async (): Promise<void> => {
  if (state.phase !== 'ended') return;
  const { isTooOld, formerEnd } = state;
  const answer = await post('/token');
  if (answer.status === 401) return;
  const { account, company } = await take(answer);
  // One second of tolerance: the page and the service round differently.
  if (isTooOld && sessionEnds <= formerEnd + 1000) return;
  become({ phase: 'signed_in', account, company });
  release(true);
};

const release = (isSignedIn: boolean): void => {
  const goOn = waiting;
  waiting = [];
  for (const one of goOn) one(isSignedIn);
};

/** Drops a token that the service refused: the next call gets a new one. */
export const forgetToken = (refused: string): void => {
  if (token?.value === refused) token = undefined;
};

/** @throws Problem */
export const signIn = async (email: string, password: string): Promise<void> => {
  const answer = await post('/sign-in', { email, password });
  const { account, company } = await take(answer);
  become({ phase: 'signed_in', account, company });
  release(true);
};

/** Ends the session and clears all that this browser stores of it. @throws Problem */
export const signOut = async (): Promise<void> => {
  const answer = await post('/sign-out');
  if (!answer.ok) throw await problemIn(answer);
  return changedHands('?signed_out=yes');
};

/** Leaves the console after its account was deleted, which has ended the session, too. Never resolves. */
export const leaveForGood = async (): Promise<never> => {
  await post('/sign-out').catch(() => undefined);
  return changedHands('?removed=yes');
};

/** Leaves the page for good. The next person at this browser must not send what was typed: it is cleared. */
const changedHands = (query = ''): Promise<never> => {
  sessionStorage.clear();
  location.assign(`/v1/console/servers${query}`);
  return new Promise(() => undefined);
};

const freshToken = (): Promise<Token> =>
  (asking ??= post('/token')
    .then(async (answer) => {
      const { account, company } = await take(answer);
      // A new token of the old session does not answer a question for a new sign-in.
      const isAsked = state.phase === 'ended' && state.isTooOld;
      if (state.phase !== 'signed_in' && !isAsked) {
        become({ phase: 'signed_in', account, company });
        release(true);
      }
      return token as Token;
    })
    .catch((error: unknown) => {
      if (isSignedOut(error)) {
        become(
          state.phase === 'signed_in' || state.phase === 'ended'
            ? { ...state, phase: 'ended', isTooOld: false, formerEnd: sessionEnds }
            : { phase: 'signed_out', signInAt: error.signInAt },
        );
      }
      throw error;
    })
    .finally(() => {
      asking = undefined;
    }));

const take = async (answer: Response): Promise<Answer> => {
  if (!answer.ok || isPage(answer)) throw await problemIn(answer);
  const given = (await answer.json()) as Answer;
  // Another tab may have changed who is signed in.
  if ('account' in state && state.account.id !== given.account.id) return changedHands();
  claimDrafts(given.account.id);
  sessionEnds = performance.now() + given.session_expires_in * 1000;
  token = { value: given.access_token, goodUntil: performance.now() + given.expires_in * 1000 };
  return given;
};

/** Clears the drafts of another account: a session may end unnoticed, and somebody else sign in after a reload. */
const claimDrafts = (id: string): void => {
  if (sessionStorage.getItem(OWNER) !== id) sessionStorage.clear();
  sessionStorage.setItem(OWNER, id);
};

const isSignedOut = (error: unknown): error is Problem =>
  error instanceof Problem && error.status === 401;

/** Whether this tab was signed in before it was reloaded: a guess, before the service is asked. */
export const wasSignedIn = (): boolean => sessionStorage.getItem(OWNER) !== null;

const become = (next: SessionState): void => {
  state = next;
  for (const watcher of watchers) watcher();
};

const post = (path: string, body?: object): Promise<Response> =>
  fetch(`${CONSOLE}${path}`, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw notReached();
  });
