import type { DocumentTerms } from '../rules/web.ts';
import { DeadlineExceeded } from '../../platform/rules/fault.ts';
import { NoAnswer, type TargetAnswer, type TargetPolicy } from '../rules/target.ts';
import type { TimeLeft } from '../../platform/rules/time-left.ts';
import { exchange, freshAgents, firstHop } from './exchange.ts';
import { following } from './redirects.ts';
import { secondsFor, withDeadline } from './target-api.ts';

interface WebOptions {
  readonly policy: TargetPolicy;
  /** For name, connection and TLS together. Default 3. */
  readonly connectTimeoutSeconds?: number;
  /** No exchange takes longer; if omitted, any time is left. */
  readonly timeLeft?: TimeLeft;
}

/**
 * The client for documents. It sends no credentials, so redirects lead to any origin, each through the guard; with
 * headers of somebody's they lead to no other. A document
 * that is too large is no answer: half of one is of no use.
 */
export const web = ({ policy, connectTimeoutSeconds = 3, timeLeft }: WebOptions): Web => {
  const rules = { policy, connectTimeoutSeconds };
  const publicAgents = freshAgents(rules);

  const get =
    (
      mayFollow: (from: URL, to: URL) => boolean,
      headers: Readonly<Record<string, string>> = {},
    ): Web['fetch'] =>
    async (url, { maxBytes, timeoutSeconds, keepsSeconds, certificateAuthorities }) => {
      const seconds = secondsFor(timeoutSeconds, timeLeft, keepsSeconds);
      if (seconds === 0) throw new DeadlineExceeded('web');
      const end = timeLeft?.signal();
      const getUntil = (signal: AbortSignal) => {
        const agents = certificateAuthorities
          ? freshAgents({ ...rules, certificateAuthorities })
          : publicAgents;
        const terms = { policy, agents, fresh: agents, maxBytes, signal };
        const first = firstHop({ method: 'GET', url, headers });
        return following(first, (hop) => exchange(hop, terms), mayFollow);
      };
      const answer = await withDeadline(seconds, getUntil, end).catch((error: unknown) => {
        const isTimeout = error instanceof NoAnswer && error.reason === 'timeout';
        // Whoever was given less than half of its time is not to be blamed.
        const wasShort = end?.aborted === true || seconds < timeoutSeconds / 2;
        throw isTimeout && wasShort ? new DeadlineExceeded('web') : error;
      });
      if (answer.cut) throw new NoAnswer('too_large', `more than ${maxBytes} bytes`);
      return answer;
    };

  return {
    fetch: get(() => true),
    fetchWith: (headers, url, terms) => get(isSameOrigin, headers)(url, terms),
    fetchExactly: get(() => false),
  };
};

const isSameOrigin = (from: URL, to: URL): boolean => from.origin === to.origin;

/** The same guard, for documents that the service itself fetches (`openapi_url`, JWKS, client metadata). */
export interface Web {
  /** GET, following redirects through the guard. @throws NoAnswer; DeadlineExceeded where it had too little time */
  fetch(url: string, terms: DocumentTerms): Promise<TargetAnswer>;
  /** GET with headers of somebody's, which go to that origin alone. @throws as `fetch` */
  fetchWith(
    headers: Readonly<Record<string, string>>,
    url: string,
    terms: DocumentTerms,
  ): Promise<TargetAnswer>;
  /** GET of this very address: a redirect is the answer. @throws NoAnswer; DeadlineExceeded */
  fetchExactly(url: string, terms: DocumentTerms): Promise<TargetAnswer>;
}
