import type { TargetApi } from '../rules/web.ts';
import type { AwsKeys, HmacKey } from '../rules/credential.ts';
import { type Clock, systemClock } from '../../platform/system/clock.ts';
import type { TimeLeft } from '../../platform/rules/time-left.ts';
import { agentPool, exchange, firstHop, freshAgents, type Hop, type Lookup } from './exchange.ts';
import { following, isUpgrade } from './redirects.ts';
import {
  NoAnswer,
  type TargetAnswer,
  type TargetPolicy,
  type TargetRequest,
} from '../rules/target.ts';

interface TargetApiOptions {
  readonly policy: TargetPolicy;
  /** For the whole exchange, including redirects and body. */
  readonly timeoutSeconds: number;
  /** Of a decoded body; longer ones are cut. */
  readonly maxBytes: number;
  /** Reads longer bodies up to this size, if they arrive in time. */
  readonly readOnBytes?: number;
  /** For DNS, connection and TLS together; 3 by default. */
  readonly connectTimeoutSeconds?: number;
  /** Shortens exchanges to the time left; unlimited by default. */
  readonly timeLeft?: TimeLeft;
  /** For the times in signatures. */
  readonly clock?: Clock;
  /** By default as the system resolves names. */
  readonly lookup?: Lookup;
}

export interface ClosableTargetApi extends TargetApi {
  /** Ends all connections, also those in use. Idle ones end by themselves and keep no process alive. */
  close(): void;
}

/** Reserved at the end of an exchange to store a long answer: only `maxBytes` are read then. */
const TO_STORE_SECONDS = 3;

/**
 * Client for target APIs. Each deployment has its own kept-alive connections. Redirects are followed within one
 * origin, and from http to https. A redirect to another origin is the answer, so that no credential leaves its
 * origin. A request to an origin that its credential is not for is never sent. When the time is over, the part of the
 * answer that has arrived is the answer, cut.
 */
export const targetApi = (options: TargetApiOptions): ClosableTargetApi => {
  const { policy, maxBytes, readOnBytes = 0, connectTimeoutSeconds = 3, lookup } = options;
  const { clock = systemClock() } = options;
  const rules = { policy, connectTimeoutSeconds, ...(lookup && { lookup }) };
  const pool = agentPool(rules);
  const unshown = freshAgents(rules);

  return {
    send: async (deploymentId, request, longAnswer) => {
      const timeoutSeconds = secondsFor(options.timeoutSeconds, options.timeLeft);
      if (timeoutSeconds === 0) throw new NoAnswer('no_time_left', 'nothing was sent');
      const sendUntil = (signal: AbortSignal, until: AbortSignal) => {
        const { clientCertificate, certificateAuthorities } = request;
        const certificates = { clientCertificate, certificateAuthorities };
        const agents = pool.of(deploymentId, certificates);
        const more = readOnBytes > maxBytes && {
          readOn: { mostBytes: readOnBytes, until, ...(longAnswer && { mayBegin: longAnswer }) },
        };
        const isPlain = !clientCertificate && !certificateAuthorities;
        const fresh = isPlain ? unshown : freshAgents({ ...rules, ...certificates });
        const terms = { policy, agents, fresh, maxBytes, signal, takesPart: true, ...more };
        const send = (hop: Hop) => {
          checkCredentialOrigin(request, hop.url);
          checkEncrypted(request, hop.url);
          return exchange(hop, terms);
        };
        return request.signature
          ? sendSigned(clock, firstHop(request), request.signature, send)
          : following(firstHop(request), send, (from, to) => mayFollow(request, from, to));
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

/**
 * Signs and sends a request. An AWS signature that is refused because of the target's clock is repeated once with the
 * clock's skew: nothing was carried out.
 */
export const sendSigned = async (
  clock: Clock,
  hop: Hop,
  keys: AwsKeys | HmacKey,
  send: (hop: Hop) => Promise<TargetAnswer>,
): Promise<TargetAnswer> => {
  if (keys.type === 'hmac') {
    const { hmacHop } = await import('./hmac-signature.ts');
    return send(hmacHop(hop, keys, clock.now() * 1000));
  }
  // Imported on demand: few targets are AWS.
  const { clockSkew, signedHop } = await import('./sign-request.ts');
  const now = clock.now() * 1000;
  const answer = await send(await signedHop(hop, keys, now));
  const skew = clockSkew(answer, now);
  return skew === undefined ? answer : send(await signedHop(hop, keys, clock.now() * 1000 + skew));
};

/** @throws NoAnswer `credential_not_for_this_host`. Source: RFC 6454 §5. */
const checkCredentialOrigin = ({ credentialOrigins }: TargetRequest, { origin }: URL): void => {
  if (!credentialOrigins || credentialOrigins.includes(origin)) return;
  throw new NoAnswer(
    'credential_not_for_this_host',
    `${origin}: not among the credential's origins`,
  );
};

/** Within one origin, and to https at the same host if the credential may go there. */
const mayFollow = ({ credentialOrigins, isSigned }: TargetRequest, from: URL, to: URL): boolean => {
  if (isSigned) return false;
  if (from.origin === to.origin) return true;
  const isAllowed = !credentialOrigins || credentialOrigins.includes(to.origin);
  return isAllowed && isUpgrade(from, to);
};

/** Without TLS the client certificate is not shown, and the request would run as somebody else, or fail. */
const checkEncrypted = ({ clientCertificate }: TargetRequest, { origin, protocol }: URL): void => {
  if (!clientCertificate || protocol === 'https:') return;
  throw new NoAnswer('tls_failure', `${origin}: a client certificate is for https`);
};

/** With less time left nothing is sent: it might be carried out without anybody learning so. */
const LEAST_MS = 1000;

/**
 * Seconds that an exchange may take: as many as wanted and left, 0 if too few are left.
 * @param keepsSeconds - reserved for what follows the exchange
 */
export const secondsFor = (
  wantedSeconds: number,
  timeLeft: TimeLeft | undefined,
  keepsSeconds = 0,
): number => {
  const leftMs = (timeLeft?.ms() ?? Infinity) - keepsSeconds * 1000;
  return leftMs < LEAST_MS ? 0 : Math.min(wantedSeconds, leftMs / 1000);
};

/** Passes a signal that aborts after `seconds`, but not after the work is done. @param end - aborts it earlier */
export const withDeadline = async <T>(
  seconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  end?: AbortSignal,
): Promise<T> => {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, seconds * 1000);
  if (end?.aborted) abort();
  end?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    end?.removeEventListener('abort', abort);
  }
};
