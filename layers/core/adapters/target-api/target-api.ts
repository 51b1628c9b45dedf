import type { TargetPolicy } from '../../domain/target.ts';
import type { TargetApi } from '../../ports.ts';
import { agentPool } from './agent-pool.ts';
import { freshAgents } from './agents.ts';
import { withDeadline } from './deadline.ts';
import { exchange } from './exchange.ts';
import { firstHop } from './hop.ts';
import { following } from './redirects.ts';

export interface TargetApiOptions {
  readonly policy: TargetPolicy;
  /** For the whole exchange, redirects and body included. */
  readonly timeoutSeconds: number;
  /** Of an answer's body, after decoding; what goes beyond is cut. */
  readonly maxBytes: number;
  /** For name, connection and TLS together. Default 3. */
  readonly connectTimeoutSeconds?: number;
}

export interface ClosableTargetApi extends TargetApi {
  /** Ends all connections, those in use included. Idle ones end by themselves and keep no process alive. */
  close(): void;
}

/**
 * The client towards target APIs. Connections are kept per deployment. Redirects are followed within one origin only;
 * one to another origin is the answer, so that no credential, whatever header or query parameter carries it, ever
 * leaves the origin that it is for.
 */
export const targetApi = (options: TargetApiOptions): ClosableTargetApi => {
  const { policy, timeoutSeconds, maxBytes, connectTimeoutSeconds = 3 } = options;
  const rules = { policy, connectTimeoutSeconds };
  const pool = agentPool(rules);
  const fresh = freshAgents(rules);

  return {
    send: (deploymentId, request) =>
      withDeadline(timeoutSeconds, (signal) => {
        const terms = { policy, agents: pool.of(deploymentId), fresh, maxBytes, signal };
        return following(firstHop(request), (hop) => exchange(hop, terms), isSameOrigin);
      }),
    close: pool.close,
  };
};

const isSameOrigin = (from: URL, to: URL): boolean => from.origin === to.origin;
