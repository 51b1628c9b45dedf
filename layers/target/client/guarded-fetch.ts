import type { TimeLeft } from '../../platform/rules/time-left.ts';
import { DeadlineExceeded } from '../../platform/rules/fault.ts';
import { NoAnswer, type TargetPolicy, type Trust } from '../rules/target.ts';
import { exchange, firstHop, freshAgents } from './exchange.ts';
import { secondsFor, withDeadline } from './target-api.ts';

interface GuardedFetchOptions {
  readonly policy: TargetPolicy;
  /** For the whole exchange. Default 8. */
  readonly timeoutSeconds?: number;
  /** Of an answer's body, after decoding. Default 64 KB: answers of token endpoints are small. */
  readonly maxBytes?: number;
  /** For name, connection and TLS together. Default 3. */
  readonly connectTimeoutSeconds?: number;
  /** No exchange takes longer; if omitted, any time is left. */
  readonly timeLeft?: TimeLeft;
}

/** What is looked at of a request, as libraries that take a `fetch` of their caller's make it. */
interface FetchedRequest extends Trust {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | URLSearchParams | null | undefined;
}

/**
 * `fetch` through the guard, for requests with secrets of owners: a redirect is the answer, and an answer that is cut is
 * none. Each request has a connection of its own, so that none is shared between two owners.
 *
 * @returns throws NoAnswer if there is no whole answer; DeadlineExceeded where the invocation had too little time
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

/** Statuses with which a response has no body. Source: Fetch standard, "null body status". */
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
  // `Headers` take one byte for each character: a value with others is written in UTF-8.
  const asBytes = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    /[\u0100-\uffff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value,
  ]);
  return new Response(bytes, { status, headers: asBytes });
};
