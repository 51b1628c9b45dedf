import type middy from '@middy/core';
import { PROTOCOL_VERSION } from '../domain/server-identity.ts';
import type { Ports } from '../ports.ts';
import { type Failure, failure } from './errors.ts';
import { type HttpEvent, methodOf, type NotedEvent } from './event.ts';
import type { HttpReply } from './reply.ts';

export type EdgePorts = Pick<Ports, 'clock' | 'events' | 'log'>;

/** How errors are answered where people or other protocols than the router's are spoken to. */
export type Translate = (error: unknown, event: HttpEvent) => Failure | Promise<Failure>;

type Edge = middy.Request<NotedEvent, HttpReply>;

/**
 * What every request goes through: a correlation id and notes on the way in; on the way out errors
 * become answers, the common headers are set, and one line is logged.
 */
export const edge = ({ clock, events, log }: EdgePorts, translate: Translate = failure) => {
  const finish = async (
    { event }: Edge,
    reply: HttpReply,
    outcome: Outcome,
  ): Promise<HttpReply> => {
    const requestId = event.requestContext.requestId;
    // What was done for the client is done: it gets its answer even if the record of it is lost.
    const eventsStored = await events.flush().then(stored, lost);
    log.write({
      message: 'request',
      level: eventsStored ? outcome.level : 'error',
      request_id: requestId,
      method: methodOf(event),
      ...event.notes,
      outcome: outcome.outcome,
      status: reply.statusCode,
      duration_ms: Math.round((clock.elapsedMs() - event.arrivedMs) * 10) / 10,
      ...outcome.detail,
      ...(!eventsStored && { events_lost: true }),
    });
    const headers = { ...COMMON, ...reply.headers, 'x-request-id': requestId };
    const body = methodOf(event) === 'HEAD' ? NO_BODY : {};
    return { ...reply, headers, ...body };
  };

  return {
    before: (request: Edge): void => {
      request.event = { ...request.event, notes: {}, arrivedMs: clock.elapsedMs() };
    },
    after: async (request: Edge): Promise<void> => {
      if (request.response) request.response = await finish(request, request.response, OK);
    },
    onError: async (request: Edge): Promise<void> => {
      const { reply, ...outcome } = await translate(request.error, request.event);
      request.response = await finish(request, reply, outcome);
    },
  };
};

type Outcome = Omit<Failure, 'description' | 'reply'>;

const OK: Outcome = { outcome: 'ok', level: 'info', detail: {} };

/** Source: spec, "Versioning", "Response headers on discovery". */
const COMMON = {
  'cache-control': 'no-store',
  'mcp-protocol-version': PROTOCOL_VERSION,
  'x-content-type-options': 'nosniff',
} as const;

const NO_BODY = { body: '', isBase64Encoded: false };

const stored = () => true;
const lost = () => false;
