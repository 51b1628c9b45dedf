import type { TimeLeft } from '../../platform/rules/time-left.ts';
import { DeadlineExceeded } from '../../platform/rules/fault.ts';
import { NoAnswer, type TargetPolicy, type Trust } from '../rules/target.ts';
import { exchange, firstHop, freshAgents } from './exchange.ts';
import { secondsFor, withDeadline } from './target-api.ts';

interface GuardedFetchOptions {
  readonly policy: TargetPolicy;
  /** For the whole exchange; 8 by default. */
  readonly timeoutSeconds?: number;
  /** Of a decoded body; 64 KB by default, which suffices for token endpoints. */
  readonly maxBytes?: number;
  /** For DNS, connection and TLS together; 3 by default. */
  readonly connectTimeoutSeconds?: number;
  /** Shortens exchanges to the time left; unlimited by default. */
  readonly timeLeft?: TimeLeft;
}

/** The options that libraries pass to a custom `fetch`. */
interface FetchedRequest extends Trust {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | URLSearchParams | null | undefined;
}

/**
 * `fetch` through the SSRF guard, for requests with secrets of owners. Redirects are not followed, and an answer that
 * is cut fails. Each request has a new connection, so that no two owners share one.
 * @returns a `fetch` that throws NoAnswer without a complete answer; DeadlineExceeded if the invocation has too
 *   little time left
 */
export const guardedFetch = ({
  policy,
  timeoutSeconds = 8,
  maxBytes = 65_536,
  connectTimeoutSeconds = 3,
  timeLeft,
}: GuardedFetchOptions) => {
  const rules = { policy, connectTimeoutSeconds };
  const publicAgents = freshAgents(rules);

  return async (
    url: string,
    { method = 'GET', headers = {}, body, certificateAuthorities }: FetchedRequest = {},
  ): Promise<Response> => {
    const seconds = secondsFor(timeoutSeconds, timeLeft);
    if (seconds === 0) throw new DeadlineExceeded('web');
    const hop = firstHop({
      method,
      url,
      headers,
      ...(body !== undefined && body !== null && { body: bytesOf(body) }),
    });
    const agents = certificateAuthorities
      ? freshAgents({ ...rules, certificateAuthorities })
      : publicAgents;
    const answer = await withDeadline(
      seconds,
      (signal) => exchange(hop, { policy, agents, fresh: agents, maxBytes, signal }),
      timeLeft?.signal(),
    );
    if (answer.cut) throw new NoAnswer('too_large', `more than ${maxBytes} bytes`);
    return responseOf(answer.status, answer.headers, answer.body);
  };
};

export type GuardedFetch = ReturnType<typeof guardedFetch>;

const bytesOf = (body: string | Uint8Array | URLSearchParams): string | Uint8Array =>
  body instanceof URLSearchParams ? body.toString() : body;

/** Statuses without a body. Source: Fetch standard, "null body status". */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const responseOf = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Response => {
  if (status < 200 || status > 599) {
    throw new NoAnswer('invalid_response', 'a status that means nothing');
  }
  const bytes = WITHOUT_BODY.has(status) ? null : new Uint8Array(body);
  // `Headers` accept only characters up to U+00FF: others are passed as their UTF-8 bytes.
  const asBytes = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    /[\u0100-\uffff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value,
  ]);
  return new Response(bytes, { status, headers: asBytes });
};
