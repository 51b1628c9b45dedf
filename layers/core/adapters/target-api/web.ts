import { NoAnswer, type TargetPolicy } from '../../domain/target/target.ts';
import type { Web } from '../../ports.ts';
import { freshAgents } from './agents.ts';
import { withDeadline } from './deadline.ts';
import { exchange } from './exchange.ts';
import { firstHop } from './hop.ts';
import { following } from './redirects.ts';

export interface WebOptions {
  readonly policy: TargetPolicy;
  /** For name, connection and TLS together. Default 3. */
  readonly connectTimeoutSeconds?: number;
}

/**
 * The client for documents. It sends no credentials, so redirects lead to any origin, each through the guard. A document
 * that is too large is no answer: half of one is of no use.
 */
export const web = ({ policy, connectTimeoutSeconds = 3 }: WebOptions): Web => {
  const agents = freshAgents({ policy, connectTimeoutSeconds });

  const get =
    (mayFollow: () => boolean): Web['fetch'] =>
    async (url, { maxBytes, timeoutSeconds }) => {
      const answer = await withDeadline(timeoutSeconds, (signal) => {
        const terms = { policy, agents, fresh: agents, maxBytes, signal };
        const first = firstHop({ method: 'GET', url, headers: {} });
        return following(first, (hop) => exchange(hop, terms), mayFollow);
      });
      if (answer.cut) throw new NoAnswer('too_large', `more than ${maxBytes} bytes`);
      return answer;
    };

  return { fetch: get(() => true), fetchExactly: get(() => false) };
};
