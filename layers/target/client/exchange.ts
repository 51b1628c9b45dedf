import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { NoAnswer, type TargetAnswer, type TargetPolicy } from '../rules/target.ts';
import type { Agents } from './agents.ts';
import { type ReceivedBody, type BodyLimits, receiveBody } from './body.ts';
import { failure, isReset } from './failure.ts';
import { checkUrl, hostOf, portOf } from './guard.ts';
import { type Hop, headersOf } from './hop.ts';

export interface Terms extends BodyLimits {
  readonly policy: TargetPolicy;
  /** Connections to use, and those to use where a kept one turned out to be dead. */
  readonly agents: Agents;
  readonly fresh: Agents;
  /** Ends the exchange, however far it is. */
  readonly signal: AbortSignal;
}

/** Node's default, which an environment could change. Bytes of an answer's status line and headers. */
const MAX_ANSWER_HEAD_BYTES = 16_384;

/** Repeating them does no harm. Source: RFC 9110 §9.2.2. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * One request and its answer, redirects included as they are. If a connection that was kept from before breaks before
 * the answer begins, an idempotent request is sent once more on a new one.
 *
 * @throws NoAnswer
 */
export const exchange = async (hop: Hop, terms: Terms): Promise<TargetAnswer> => {
  checkUrl(terms.policy, hop.url);
  try {
    return await attempt(hop, terms, terms.agents);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    if (IDEMPOTENT.has(hop.method)) return attempt(hop, terms, terms.fresh);
    throw new NoAnswer('connection_failed', `${hop.url.origin}: a kept connection was closed`);
  }
};

class StaleConnection extends Error {}

const attempt = (hop: Hop, terms: Terms, agents: Agents): Promise<TargetAnswer> => {
  const { signal } = terms;
  const { origin } = hop.url;
  const request = open(hop, agents);

  return new Promise((resolve, reject) => {
    let answered: IncomingMessage | undefined;
    const fail = (error: unknown): void => {
      const isStale = request.reusedSocket && !answered && isReset(error);
      reject(isStale ? new StaleConnection() : failure(error, origin, request.socket));
    };
    // Not Node's own `signal`: it says nothing while a request waits for a connection.
    const stop = (): void => {
      // Of an answer that has begun, its body's reader hears of it first.
      setImmediate(() => {
        fail(new NoAnswer('timeout', `${origin}: no whole answer in time`));
        request.destroy();
      });
    };

    // Once an answer has begun, it depends on what was read of it whether it has failed.
    request.on('error', (error) => (answered ? answered.destroy(error) : fail(error)));
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new NoAnswer('invalid_response', `${origin}: switches protocols`));
    });
    request.on('response', (response) => {
      answered = response;
      receiveBody(response, terms).then((body) => resolve(answerOf(response, body)), fail);
    });
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    // As bytes: Node writes headers as Latin-1, but in the charset of the body where that is a text.
    request.end(typeof hop.body === 'string' ? Buffer.from(hop.body) : hop.body);
  });
};

/** @throws NoAnswer `invalid_request` if Node finds a header or the method not to be valid */
const open = (hop: Hop, { http, https }: Agents): ClientRequest => {
  const { method, url } = hop;
  const options = {
    method,
    host: hostOf(url),
    port: portOf(url),
    path: url.pathname + url.search,
    headers: headersOf(hop),
    maxHeaderSize: MAX_ANSWER_HEAD_BYTES,
    insecureHTTPParser: false,
    joinDuplicateHeaders: true,
  };
  try {
    return url.protocol === 'https:'
      ? httpsRequest({ ...options, agent: https })
      : httpRequest({ ...options, agent: http });
  } catch (error) {
    throw failure(error, url.origin, null);
  }
};

const answerOf = (response: IncomingMessage, body: ReceivedBody): TargetAnswer => {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(response.headers)) {
    // They describe what was on the wire, not what is in `body` now.
    if (body.isDecoded && (name === 'content-encoding' || name === 'content-length')) continue;
    headers.push([name, Array.isArray(value) ? value.join(', ') : `${value}`]);
  }
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: body.bytes,
    ...(body.isCut && { cut: cutOf(response, body) }),
  };
};

const cutOf = (
  { headers }: IncomingMessage,
  { bytes, isDecoded, cutBy }: ReceivedBody,
): NonNullable<TargetAnswer['cut']> => {
  const declared = headers['content-length'];
  const by = cutBy && { by: cutBy };
  if (isDecoded || declared === undefined) return { ...by };
  const totalBytes = Number(declared);
  return { ...by, totalBytes, missingBytes: totalBytes - bytes.length };
};
