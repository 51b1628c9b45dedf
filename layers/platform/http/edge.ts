import type middy from '@middy/core';
import { PROTOCOL_VERSION } from '../rules/protocol-versions.ts';
import type { Ports } from '../../ports.ts';
import { type Failure, failure } from './errors.ts';
import { type HttpEvent, methodOf, type LoggedEvent } from './event.ts';
import type { HttpReply } from './reply.ts';

export type EdgePorts = Pick<Ports, 'clock' | 'events' | 'log' | 'timeLeft'>;

/** What one step leaves to the next: how the request failed, if it did. */
interface Internal extends Record<string, unknown> {
  failure?: Failure;
}
type Exchange = middy.Request<LoggedEvent, HttpReply, Error, middy.Request['context'], Internal>;

/**
 * What every request goes through, outermost: a correlation id on the way in; on the way out the
 * common headers are set, and one line is logged.
 */
export const edge = ({ clock, events, log }: EdgePorts) => {
  const finish = async (exchange: Exchange): Promise<void> => {
    const { event, response, internal } = exchange;
    if (!response) return;
    const { outcome, level, detail } = internal.failure ?? OK;
    const requestId = event.requestContext.requestId;
    // What was done for the client is done: it gets its answer even if the record of it is lost.
    const eventsStored = await events.flush().then(stored, lost);
    log.write({
      message: 'request',
      level: eventsStored ? level : 'error',
      request_id: requestId,
      method: methodOf(event),
      ...event.logged,
      outcome,
      status: response.statusCode,
      duration_ms: Math.round((clock.elapsedMs() - event.arrivedMs) * 10) / 10,
      ...detail,
      ...(!eventsStored && { events_lost: true }),
    });
    const headers = { ...COMMON, ...response.headers, 'x-request-id': requestId };
    const body = methodOf(event) === 'HEAD' ? NO_BODY : {};
    exchange.response = { ...response, headers, ...body };
  };

  return {
    before: (exchange: Exchange): void => {
      exchange.event = { ...exchange.event, logged: {}, arrivedMs: clock.elapsedMs() };
    },
    after: finish,
    onError: finish,
  };
};

/** How errors are answered where people or other protocols than the router's are spoken to. */
export type Translate = (error: unknown, event: HttpEvent) => Failure | Promise<Failure>;

/** The innermost step: makes an answer of what an endpoint threw. */
export const answerErrors = (translate: Translate = failure) => ({
  onError: async (exchange: Exchange): Promise<void> => {
    const failed = await translate(exchange.error, exchange.event);
    exchange.internal.failure = failed;
    exchange.response = failed.reply;
  },
});

const OK: Pick<Failure, 'outcome' | 'level' | 'detail'> = {
  outcome: 'ok',
  level: 'info',
  detail: {},
};

/** Source: docs/protocol.md, "Discovery document". */
const COMMON = {
  'cache-control': 'no-store',
  'mcp-protocol-version': PROTOCOL_VERSION,
  'x-content-type-options': 'nosniff',
} as const;

const NO_BODY = { body: '', isBase64Encoded: false };

const stored = () => true;
const lost = () => false;
