import type middy from '@middy/core';
import { type HttpEvent, methodOf } from './event.ts';
import type { Headers, HttpReply } from './reply.ts';

/** What one interface lets pages of other origins send, and read of its answers. */
interface CorsPolicy {
  readonly exposed: Headers;
  readonly preflight: Headers;
}

const policy = (exposed: string, methods: string, headers: string): CorsPolicy => {
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

type Exchange = middy.Request<HttpEvent, HttpReply>;

/**
 * Says of every answer to programs what pages of other origins may read of it, and in answers to
 * preflights what they may send. Browsers may call from anywhere: nothing of it rests on cookies, so that
 * a page can do no more than what its user's token allows. Which origins a deployment takes is checked on
 * the request. Pages and redirects are for people, who navigate, and what does rest on a cookie is for our
 * own pages alone.
 *
 * Source: WHATWG Fetch, "CORS protocol".
 */
export const cors = () => ({ after: addHeaders, onError: addHeaders });

const addHeaders = (exchange: Exchange): void => {
  const { event, response } = exchange;
  if (!response || isForPeople(response) || speaksForItself(response)) return;
  if (isForOwnPages(event)) return;
  const headers = { ...headersFor(event), ...response.headers };
  exchange.response = { ...response, headers };
};

/** The management API takes more than the others do, whichever function serves a part of it. */
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
