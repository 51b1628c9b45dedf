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
  /** By which requests are signed. */
  readonly clock?: Clock;
  /** Resolves names; as the system does if omitted. */
  readonly lookup?: Lookup;
}

export interface ClosableTargetApi extends TargetApi {
  /** Ends all connections, those in use included. Idle ones end by themselves and keep no process alive. */
  close(): void;
}

/** At the end of the time for an exchange, nothing more is read than was asked for: it has to be stored yet. */
const TO_STORE_SECONDS = 3;

/**
 * The client towards target APIs. Connections are kept per deployment. Redirects are followed within one origin, and from
 * http to https; one to another origin is the answer, so that no credential, whatever header or query parameter carries it, ever
 * leaves the origin that it is for. What of an answer has come when its time is over is the answer, cut. A request whose credential is meant for other origins is not sent at all.
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

/** With a signature of AWS, once more where the target's clock is another one, and nothing was done. */
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
  // Few targets are AWS.
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

/** Within the origin, and to https at the same host where the credential may go there as well. */
const mayFollow = ({ credentialOrigins, isSigned }: TargetRequest, from: URL, to: URL): boolean => {
  if (isSigned) return false;
  if (from.origin === to.origin) return true;
  const isAllowed = !credentialOrigins || credentialOrigins.includes(to.origin);
  return isAllowed && isUpgrade(from, to);
};

/** What shows no certificate would be let in as somebody else, or not at all. */
const checkEncrypted = ({ clientCertificate }: TargetRequest, { origin, protocol }: URL): void => {
  if (!clientCertificate || protocol === 'https:') return;
  throw new NoAnswer('tls_failure', `${origin}: a client certificate is for https`);
};

/** With less, nothing is sent: what was sent may be done, though nobody hears of it. */
const LEAST_MS = 1000;

/**
 * The seconds that an exchange may take: those that it wants if so many are left, and 0 if too few are.
 *
 * @param keepsSeconds - of those that are left, for what comes after
 */
export const secondsFor = (
  wantedSeconds: number,
  timeLeft: TimeLeft | undefined,
  keepsSeconds = 0,
): number => {
  const leftMs = (timeLeft?.ms() ?? Infinity) - keepsSeconds * 1000;
  return leftMs < LEAST_MS ? 0 : Math.min(wantedSeconds, leftMs / 1000);
};

/**
 * Gives work a signal that aborts after so many seconds, and that never does once the work is done.
 *
 * @param end - aborts it as well
 */
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
