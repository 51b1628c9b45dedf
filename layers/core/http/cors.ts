/**
 * Browsers may call from anywhere: nothing here rests on cookies, so that a page can do no more
 * than what its user's token allows. Which origins a deployment takes is checked on the request.
 */
export const ANY_ORIGIN = { 'access-control-allow-origin': '*' } as const;

/** Source: T7. */
export const EXPOSED = {
  ...ANY_ORIGIN,
  'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
} as const;

/** Source: T7. */
export const PREFLIGHT = {
  ...EXPOSED,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name',
  'access-control-max-age': '86400',
} as const;

/** What pages of other origins may read of the management API's answers. */
export const MANAGEMENT_EXPOSED = {
  ...ANY_ORIGIN,
  'access-control-expose-headers':
    'ETag, Location, Retry-After, WWW-Authenticate, Idempotency-Replayed, X-Request-Id',
} as const;

/** What pages of other origins may send to the management API: its tokens are no cookies. */
export const MANAGEMENT_PREFLIGHT = {
  ...MANAGEMENT_EXPOSED,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, content-encoding, accept, if-match, idempotency-key',
  'access-control-max-age': '86400',
} as const;

/** The literal set of the text. Source: spec, "Response headers on discovery". */
export const DISCOVERY = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type',
} as const;
