import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type HttpAnswer, toAnswer } from './answer.ts';
import { listen } from '../loopback-server.ts';
import { readBody } from '../read-body.ts';
import { newRequestId, toEvent } from './event.ts';
import { gatewayResponse } from './gateway-responses.ts';
import { readHead } from './head.ts';
import {
  INTEGRATION_TIMEOUT_MS,
  MAX_BODY_BYTES,
  MAX_EVENT_BYTES,
  MAX_HEAD_BYTES,
} from './quotas.ts';
import { answerUnreadable, send } from './reply.ts';
import { type Route, routeTable } from './routes.ts';
import { tokenBucket } from './throttle.ts';

export interface GatewaySettings {
  /** 0 picks a free port. */
  readonly port: number;
  readonly routes: readonly Route[];
  /** Runs a function; event and result are JSON. Rejects if the function failed. */
  readonly invoke: (functionName: string, event: string) => Promise<string>;
  readonly integrationTimeoutMs?: number;
}

export interface Gateway {
  readonly port: number;
  /** Takes no new requests, and closes those that are under way after so long. */
  close(graceMs: number): Promise<void>;
}

/**
 * The machine's stand-in for an API Gateway HTTP API: HTTP on loopback to events and back, with the
 * limits and the error bodies of the original.
 * @throws Error with `code` `EADDRINUSE` or `EACCES` if the port cannot be had
 */
export const startGateway = async (settings: GatewaySettings): Promise<Gateway> => {
  const findRoute = routeTable(settings.routes);
  const timeoutMs = settings.integrationTimeoutMs ?? INTEGRATION_TIMEOUT_MS;

  const buckets = new Map(
    settings.routes.flatMap(({ key, throttle }) =>
      throttle ? [[key, tokenBucket(throttle)]] : [],
    ),
  );

  const serve = async (request: IncomingMessage, requestId: string): Promise<HttpAnswer> => {
    const head = readHead(request);
    if (typeof head === 'string') return gatewayResponse(head);
    if (!isOwnHost(head.headers['host'], port)) return gatewayResponse('foreignHost');
    const route = findRoute(head.method, head.path);
    if (!route) return gatewayResponse('notFound');
    if (buckets.get(route.key)?.(performance.now()) === false) return gatewayResponse('throttled');

    const at = new Date();
    const body = await readBody(request, MAX_BODY_BYTES);
    if (!body) return gatewayResponse('tooLarge');
    const sourceIp = request.socket.remoteAddress ?? '127.0.0.1';
    const event = JSON.stringify(toEvent(head, body, route, { requestId, at, sourceIp, port }));
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) return gatewayResponse('tooLarge');

    const outcome = await within(timeoutMs, settings.invoke(route.functionName, event));
    if (outcome === 'timeout') return gatewayResponse('integrationTimeout');
    const answer = outcome === 'failed' ? undefined : toAnswer(outcome.result);
    return answer ?? gatewayResponse('functionFailed');
  };

  const server = createServer(
    { maxHeaderSize: 4 * MAX_HEAD_BYTES, requestTimeout: 60_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      const requestId = newRequestId();
      serve(request, requestId)
        .catch(() => gatewayResponse('functionFailed'))
        .then((answer) => {
          if (!server.listening) response.shouldKeepAlive = false;
          send(response, answer, requestId);
        });
    },
  );
  server.on('clientError', answerUnreadable);
  const port = await listen(server, settings.port);

  return {
    port,
    close: async (graceMs) => {
      const patience = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close();
      await once(server, 'close');
      clearTimeout(patience);
    },
  };
};

/** Against DNS rebinding: any web page can reach loopback, but then sends the name that it believes to call. */
const isOwnHost = (host: string | undefined, port: number): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].some(
    (name) => host?.toLowerCase() === `${name}:${port}` || (port === 80 && host === name),
  );

const within = async (
  ms: number,
  invocation: Promise<string>,
): Promise<{ readonly result: string } | 'failed' | 'timeout'> => {
  const late = Promise.withResolvers<'timeout'>();
  const timer = setTimeout(() => late.resolve('timeout'), ms).unref();
  const outcome = invocation.then(
    (result) => ({ result }),
    () => 'failed' as const,
  );
  return Promise.race([outcome, late.promise]).finally(() => clearTimeout(timer));
};
