import type { DocumentTerms } from '../rules/web.ts';
import { DeadlineExceeded } from '../../platform/rules/fault.ts';
import { NoAnswer, type TargetAnswer, type TargetPolicy } from '../rules/target.ts';
import type { TimeLeft } from '../../platform/rules/time-left.ts';
import { exchange, freshAgents, firstHop } from './exchange.ts';
import { following } from './redirects.ts';
import { secondsFor, withDeadline } from './target-api.ts';

interface WebOptions {
  readonly policy: TargetPolicy;
  /** For DNS, connection and TLS together; 3 by default. */
  readonly connectTimeoutSeconds?: number;
  /** Shortens exchanges to the time left; unlimited by default. */
  readonly timeLeft?: TimeLeft;
}

/**
 * Fetches documents through the SSRF guard. Without credentials, redirects may lead to any origin; with an owner's
 * headers only within the same. A document that is too large fails, since half of it is useless.
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
        // A timeout after less than half of the usual time is ours, not the server's.
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

/** For documents that the service itself fetches (`openapi_url`, JWKS, client metadata). */
export interface Web {
  /** GET that follows redirects. @throws NoAnswer; DeadlineExceeded if too little time is left */
  fetch(url: string, terms: DocumentTerms): Promise<TargetAnswer>;
  /** GET with an owner's headers, which stay within one origin. @throws as `fetch` */
  fetchWith(
    headers: Readonly<Record<string, string>>,
    url: string,
    terms: DocumentTerms,
  ): Promise<TargetAnswer>;
  /** GET without following redirects. @throws NoAnswer; DeadlineExceeded */
  fetchExactly(url: string, terms: DocumentTerms): Promise<TargetAnswer>;
}
