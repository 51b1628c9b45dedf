import { createHash, timingSafeEqual } from 'node:crypto';
import middy from '@middy/core';
import { nothingThere, RouterRefusal } from '../rules/refusal/router-refusal.ts';
import { type HttpEvent, type LoggedEvent, methodOf, type RoutedEvent } from './event.ts';
import { type Headers, type HttpReply, preflight } from './reply.ts';
import type { PlatformPorts, PlatformSettings } from '../ports.ts';
import { withoutCopies } from '../rules/header-copies.ts';
import { isPublished, PROTOCOL_VERSION } from '../rules/protocol-versions.ts';
import { type Failure, failure } from './errors.ts';
import { isAddress } from '../rules/subject.ts';

export type Endpoint = (event: RoutedEvent) => Promise<HttpReply>;

/** Endpoints by method. HEAD is handled by GET; `edge` drops the body. */
export type Endpoints = Readonly<
  Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Endpoint>>
> & {
  /** Handles all other methods; can answer 404 before 405 reveals that the path exists. */
  readonly others?: Endpoint;
};

export type Routes = Readonly<Record<string, Endpoints>>;

/** Ignores a trailing slash; answers OPTIONS as a preflight. @throws RouterRefusal not_found, method_not_allowed */
export const router = (routes: Routes) => {
  const table = Object.entries(routes).map(([path, endpoints]) => ({
    path,
    endpoints,
    pattern: patternOf(path),
  }));

  return async (event: LoggedEvent): Promise<HttpReply> => {
    const method = methodOf(event);
    if (method === 'OPTIONS') return preflight();

    for (const { path, endpoints, pattern } of table) {
      const match = pattern.exec(event.rawPath);
      if (!match) continue;
      event.logged.route = path;
      const endpoint = endpointOf(endpoints, method);
      if (!endpoint) throw methodNotAllowed(Object.keys(endpoints));
      const parameters = { ...match.groups };
      return endpoint({ ...event, parameters });
    }
    throw nothingThere('no such route');
  };
};

/** @param methods - supported ones; HEAD and OPTIONS are added */
export const methodNotAllowed = (
  methods: readonly string[],
  text = 'This method is not supported here.',
): RouterRefusal =>
  new RouterRefusal('method_not_allowed', text, {
    allow: [...methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])), 'OPTIONS'],
  });

const endpointOf = (endpoints: Endpoints, method: string): Endpoint | undefined => {
  const name = method === 'HEAD' ? 'GET' : method;
  return name !== 'others' && Object.hasOwn(endpoints, name)
    ? endpoints[name as keyof Endpoints]
    : endpoints.others;
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`);

/** Runs before a handler and adds its result to the event; throws to refuse the request. */
export type Step<Event> = (event: Event) => Promise<object> | object;

/** A handler after its steps, in order; the handler's event type lists what the steps must add. */
export const endpoint = <Event extends RoutedEvent>(
  steps: readonly Step<Event>[],
  handler: (event: Event) => Promise<HttpReply>,
): Endpoint => {
  const stack = middy<Event, HttpReply>(handler).use(steps.map(before));
  return (event) => stack(event as Event, NO_CONTEXT);
};

/** Functions without settings serve public content only, so they need not check the origin secret. */
export type ServePorts = EdgePorts & {
  readonly settings?: Pick<PlatformSettings, 'originSecrets'>;
};

export const serve = (ports: ServePorts, routes: Routes, translate?: Translate) => {
  const route = router(routes);
  const inTime = (event: LoggedEvent) =>
    ports.timeLeft.orGiveUp(async () => route(asViewed(event, ports.settings?.originSecrets)));
  const stack = middy<LoggedEvent, HttpReply>(inTime).use([
    edge(ports),
    cors(),
    answerErrors(translate),
  ]);
  return (event: HttpEvent): Promise<HttpReply> => stack(event as LoggedEvent, NO_CONTEXT);
};

const before = <Event>(step: Step<Event>) => ({
  before: async (request: middy.Request<Event>): Promise<void> => {
    request.event = { ...request.event, ...(await step(request.event)) };
  },
});

/** Lambda's context is not used; events carry the correlation id. */
const NO_CONTEXT = {} as middy.Request['context'];

export interface EdgePorts extends Pick<PlatformPorts, 'clock' | 'log' | 'timeLeft'> {
  /** Stores events that were recorded during a request, before it is answered. */
  readonly events: { readonly flush: () => Promise<void> };
}

/** Passed from the error handler to the log: how the request failed, if it did. */
interface Internal extends Record<string, unknown> {
  failure?: Failure;
}
type Exchange = middy.Request<LoggedEvent, HttpReply, Error, middy.Request['context'], Internal>;

/** Outermost middleware: stores events, sets the common headers and writes one log line for each request. */
export const edge = ({ clock, events, log }: EdgePorts) => {
  const finish = async (exchange: Exchange): Promise<void> => {
    const { event, response, internal } = exchange;
    if (!response) return;
    const { outcome, level, detail } = internal.failure ?? OK;
    const requestId = event.requestContext.requestId;
    // The work is done: the client gets its answer even if the events cannot be stored.
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
    const headers = {
      ...COMMON,
      ...versionHeader(event, response.statusCode),
      ...response.headers,
      'x-request-id': requestId,
    };
    const body = methodOf(event) === 'HEAD' ? NO_BODY : {};
    exchange.response = { ...response, headers, ...body };
  };

  return {
    before: (exchange: Exchange): void => {
      const { event } = exchange;
      const headers = withoutCopies(event.headers);
      exchange.event = { ...event, headers, logged: {}, arrivedMs: clock.elapsedMs() };
    },
    after: finish,
    onError: finish,
  };
};

/** Turns errors into answers for people, or for other protocols than the router's. */
export type Translate = (error: unknown, event: HttpEvent) => Failure | Promise<Failure>;

/** Innermost middleware: answers for an endpoint that threw. */
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
  'x-content-type-options': 'nosniff',
} as const;

/** Refusals name the MCP version of their request, since clients compare the two; none if that does not exist. */
const versionHeader = ({ headers }: HttpEvent, statusCode: number): Headers => {
  const named = headers['mcp-protocol-version']?.trim() || PROTOCOL_VERSION;
  if (statusCode < 400) return { 'mcp-protocol-version': PROTOCOL_VERSION };
  return isPublished(named) ? { 'mcp-protocol-version': named } : {};
};

const NO_BODY = { body: '', isBase64Encoded: false };

const stored = () => true;
const lost = () => false;

const policy = (exposed: string, methods: string, headers: string) => {
  const exposing = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed,
  };
  return {
    exposed: exposing,
    preflight: {
      ...exposing,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': headers,
      'access-control-max-age': '86400',
    },
  };
};

const MCP_AND_OAUTH = policy(
  'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
  'GET, POST, OPTIONS',
  'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name',
);

const MANAGEMENT = policy(
  'ETag, Location, Retry-After, WWW-Authenticate, Idempotency-Replayed, X-Request-Id',
  'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'authorization, content-type, content-encoding, accept, if-match, idempotency-key',
);

/**
 * Adds CORS headers to answers for programs. Any origin is allowed: these interfaces do not use cookies, so a page can
 * do no more than its user's token allows; which origins a deployment accepts is checked elsewhere. Pages and redirects
 * get no CORS headers, nor do routes that rely on the session cookie: they are for our own pages only.
 * Source: WHATWG Fetch, "CORS protocol".
 */
export const cors = () => ({ after: addHeaders, onError: addHeaders });

const addHeaders = (exchange: middy.Request<HttpEvent, HttpReply>): void => {
  const { event, response } = exchange;
  if (!response || isForPeople(response) || speaksForItself(response)) return;
  if (isForOwnPages(event)) return;
  const headers = { ...headersFor(event), ...response.headers };
  exchange.response = { ...response, headers };
};

/** The management API allows more methods and headers, whichever function serves the route. */
const headersFor = (event: HttpEvent): Headers => {
  const isManagement = event.rawPath.startsWith('/v1/mcp-management/');
  const { exposed, preflight } = isManagement ? MANAGEMENT : MCP_AND_OAUTH;
  return methodOf(event) === 'OPTIONS' ? preflight : exposed;
};

const isForOwnPages = ({ rawPath }: HttpEvent): boolean =>
  rawPath.startsWith('/v1/mcp-oauth-server/console/');

const isForPeople = ({ statusCode, headers }: HttpReply): boolean =>
  statusCode === 303 || headers['content-type']?.startsWith('text/html') === true;

const speaksForItself = ({ headers }: HttpReply): boolean =>
  headers['access-control-allow-origin'] !== undefined;

/** Headers that CloudFront adds. Source: docs/edge.md, "What passes". */
export const ORIGIN_SECRET_HEADER = 'x-hosted-mcp-origin-secret';
export const VIEWER_HEADER = 'true-client-ip';

/**
 * The request as CloudFront received it: with the viewer's address and without the added headers. Without a
 * distribution the headers are ignored, since clients could forge them.
 * @param originSecrets - accepted values of the secret header; undefined where there is no distribution
 * @throws RouterRefusal forbidden for requests that bypass the distribution
 */
export const asViewed = <Event extends Pick<HttpEvent, 'headers' | 'requestContext'>>(
  event: Event,
  originSecrets: readonly string[] | undefined,
): Event => {
  if (originSecrets === undefined) return event;
  const {
    [ORIGIN_SECRET_HEADER]: secret = '',
    [VIEWER_HEADER]: viewer = '',
    ...headers
  } = event.headers;
  if (!originSecrets.map((one) => isSame(one, secret)).includes(true)) {
    throw refusal('no origin secret, or a wrong one');
  }
  // Rate limits count this address: without it they would count the distribution's.
  if (!isAddress(viewer)) throw refusal('the distribution sent no address');
  const { requestContext } = event;
  const http = { ...requestContext.http, sourceIp: viewer };
  return { ...event, headers, requestContext: { ...requestContext, http } };
};

/** Compares hashes, which have equal length, so that the timing reveals nothing about the secret. */
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const refusal = (why: string): RouterRefusal =>
  new RouterRefusal(
    'forbidden',
    'Requests are served at the public address of this service only.',
    {},
    why,
  );
