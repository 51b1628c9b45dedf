import { NoAnswer, type TargetPolicy, type TargetRequest } from '../rules/target.ts';
import type { TargetApi } from '../rules/web.ts';
import type { TimeLeft } from '../../platform/rules/time-left.ts';
import { agentPool } from './agent-pool.ts';
import { freshAgents } from './agents.ts';
import { secondsFor, withDeadline } from './deadline.ts';
import { exchange } from './exchange.ts';
import { firstHop, type Hop } from './hop.ts';
import { following } from './redirects.ts';

export interface TargetApiOptions {
  readonly policy: TargetPolicy;
  /** For the whole exchange, redirects and body included. */
  readonly timeoutSeconds: number;
  /** Of an answer's body, after decoding; what goes beyond is cut. */
  readonly maxBytes: number;
  /** Of a body that is longer than that, where what follows is of use; if it comes in time. */
  readonly readOnBytes?: number;
  /** For name, connection and TLS together. Default 3. */
  readonly connectTimeoutSeconds?: number;
  /** No exchange takes longer; if omitted, any time is left. */
  readonly timeLeft?: TimeLeft;
}

export interface ClosableTargetApi extends TargetApi {
  /** Ends all connections, those in use included. Idle ones end by themselves and keep no process alive. */
  close(): void;
}

/** At the end of the time for an exchange, nothing more is read than was asked for: it has to be stored yet. */
const TO_STORE_SECONDS = 3;

/**
 * The client towards target APIs. Connections are kept per deployment. Redirects are followed within one origin only;
 * one to another origin is the answer, so that no credential, whatever header or query parameter carries it, ever
 * leaves the origin that it is for. What of an answer has come when its time is over is the answer, cut. A request whose credential is meant for other origins is not sent at all.
 */
export const targetApi = (options: TargetApiOptions): ClosableTargetApi => {
  const { policy, maxBytes, readOnBytes = 0, connectTimeoutSeconds = 3 } = options;
  const rules = { policy, connectTimeoutSeconds };
  const pool = agentPool(rules);
  const fresh = freshAgents(rules);

  return {
    send: async (deploymentId, request, longAnswer) => {
      const timeoutSeconds = secondsFor(options.timeoutSeconds, options.timeLeft);
      if (timeoutSeconds === 0) throw new NoAnswer('no_time_left', 'nothing was sent');
      const sendUntil = (signal: AbortSignal, until: AbortSignal) => {
        const agents = pool.of(deploymentId);
        const more = readOnBytes > maxBytes && {
          readOn: { mostBytes: readOnBytes, until, ...(longAnswer && { mayBegin: longAnswer }) },
        };
        const terms = { policy, agents, fresh, maxBytes, signal, takesPart: true, ...more };
        const send = (hop: Hop) => {
          checkCredentialOrigin(request, hop.url);
          return exchange(hop, terms);
        };
        return following(firstHop(request), send, isSameOrigin);
      };
      return withDeadline(
        timeoutSeconds,
        (signal) =>
          withDeadline(Math.max(0, timeoutSeconds - TO_STORE_SECONDS), (until) =>
            sendUntil(signal, until),
          ),
        options.timeLeft?.signal(),
      );
    },
    close: pool.close,
  };
};

/** @throws NoAnswer `credential_not_for_this_host`. Source: RFC 6454 §5. */
const checkCredentialOrigin = ({ credentialOrigins }: TargetRequest, { origin }: URL): void => {
  if (!credentialOrigins || credentialOrigins.includes(origin)) return;
  throw new NoAnswer(
    'credential_not_for_this_host',
    `${origin}: not among the credential's origins`,
  );
};

const isSameOrigin = (from: URL, to: URL): boolean => from.origin === to.origin;
