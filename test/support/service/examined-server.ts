import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../target/listening.ts';

/** What a path answers: `METHOD path`, or a JSON-RPC method for the messages endpoint. */
export type Answers = Readonly<Record<string, Answered>>;

interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text as it is. */
  readonly body?: unknown;
}

export interface ExaminedServer {
  readonly origin: string;
  readonly url: string;
  /** All that was asked for, in order. */
  readonly asked: readonly string[];
  /** What came as `Authorization`, in order. */
  readonly authorizations: readonly string[];
  close(): Promise<void>;
}

export type Mode = 'none' | 'oauth' | 'jwt';

export const TOKEN = 'mcp_access_good';
const SLUG = 'books';
const BASE = `/v1/mcp-router/${SLUG}`;
const ISSUER = '/v1/mcp-oauth-server';

/**
 * A deployment in small that does everything right, but for what is changed.
 *
 * @param change - given the origin and the right answers; what it returns replaces some of them
 */
export const anExaminedServer = async (
  mode: Mode,
  change: (origin: string, right: Answers) => Answers = () => ({}),
): Promise<ExaminedServer> => {
  const asked: string[] = [];
  const authorizations: string[] = [];
  const server = createServer((request, response) => {
    void handle(request).then(({ status = 200, headers = {}, body }) => {
      const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const type = typeof body === 'object' && { 'content-type': 'application/json' };
      response.writeHead(status, { ...type, ...headers }).end(sent);
    });
  });
  const { url: origin, stop } = await listening(server);
  const right = rightAnswers(origin, mode);
  const answers = { ...right, ...change(origin, right) };

  const handle = async (request: IncomingMessage): Promise<Answered> => {
    const { method = '', url = '', headers } = request;
    const [path = ''] = url.split('?');
    const sent = await text(request);
    const { authorization } = headers;
    if (authorization !== undefined) authorizations.push(authorization);
    const rpc = method === 'POST' && path === `${BASE}/messages` && JSON.parse(sent).method;
    const isIn = mode === 'none' || authorization === `Bearer ${TOKEN}`;
    const isModern = headers['mcp-protocol-version'] === '2026-07-28';
    const asksFor = `${rpc}${isModern ? ' in 2026-07-28' : ''}`;
    const key = rpc ? (isIn ? asksFor : 'challenge') : `${method} ${path}`;
    asked.push(key);
    return answers[key] ?? { status: 404, body: { error: 'not_found' } };
  };

  return {
    origin,
    url: `${origin}${BASE}/messages`,
    asked,
    authorizations,
    close: stop,
  };
};

/** What is asked for with a token, or where none is needed. */
export const STREAM = `GET ${BASE}/messages`;

/** The paths of the right answers, for those who change some. */
export const AT = {
  discovery: `GET ${BASE}/.well-known/mcp-server`,
  resourceMessages: `GET /.well-known/oauth-protected-resource${BASE}/messages`,
  resourceBase: `GET /.well-known/oauth-protected-resource${BASE}`,
  resourceUnder: `GET ${BASE}/.well-known/oauth-protected-resource`,
  serverInserted: `GET /.well-known/oauth-authorization-server${ISSUER}`,
  serverAppended: `GET ${ISSUER}/.well-known/oauth-authorization-server`,
  openidInserted: `GET /.well-known/openid-configuration${ISSUER}`,
  openidAppended: `GET ${ISSUER}/.well-known/openid-configuration`,
  serverByResource: `GET /.well-known/oauth-authorization-server${BASE}/messages`,
  serverByBase: `GET /.well-known/oauth-authorization-server${BASE}`,
  keys: `GET ${ISSUER}/.well-known/jwks.json`,
  register: `POST ${ISSUER}/register`,
  authorize: `GET ${ISSUER}/authorize`,
  preflight: `OPTIONS ${BASE}/messages`,
} as const;

const rightAnswers = (origin: string, mode: Mode): Answers => {
  const base = `${origin}${BASE}`;
  const issuer = `${origin}${ISSUER}`;
  const pointer = `${origin}/.well-known/oauth-protected-resource${BASE}/messages`;
  const metadata = (resource: string) => ({ body: { resource, authorization_servers: [issuer] } });
  const server = {
    body: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    },
  };
  const login: Answers = {
    [AT.resourceMessages]: metadata(`${base}/messages`),
    [AT.resourceBase]: metadata(base),
    [AT.resourceUnder]: metadata(base),
    [AT.serverInserted]: server,
    [AT.serverAppended]: server,
    [AT.openidInserted]: server,
    [AT.openidAppended]: server,
    [AT.serverByResource]: server,
    [AT.serverByBase]: server,
    [AT.keys]: { body: { keys: [{ kty: 'EC' }] } },
    [AT.register]: { status: 400, body: { error: 'invalid_redirect_uri' } },
    [AT.authorize]: { headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' },
  };
  const methods = mode === 'none' ? [] : [mode];
  return {
    [AT.discovery]: {
      body: {
        endpoints: { messages: `${base}/messages` },
        authentication: { required: mode !== 'none', methods },
        _meta: { protocol_versions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] },
      },
    },
    ...(mode === 'oauth' && login),
    challenge: {
      status: 401,
      headers: {
        'www-authenticate':
          mode === 'oauth'
            ? `Bearer realm="mcp", resource_metadata="${pointer}"`
            : 'Bearer realm="mcp"',
      },
      body: { error: 'invalid_token' },
    },
    [AT.preflight]: {
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
      },
    },
    initialize: {
      body: {
        jsonrpc: '2.0',
        id: 1,
        result: { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: SLUG } },
      },
    },
    'notifications/initialized': { status: 202 },
    [STREAM]: {
      headers: { 'content-type': 'text/event-stream' },
      body: 'retry: 3600000\n\n',
    },
    'server/discover in 2026-07-28': {
      body: {
        jsonrpc: '2.0',
        id: 'server/discover',
        result: { supportedVersions: ['2026-07-28'] },
      },
    },
    'tools/list in 2026-07-28': {
      body: {
        jsonrpc: '2.0',
        id: 'tools/list',
        result: { resultType: 'complete', ttlMs: 1, cacheScope: 'public', tools: [] },
      },
    },
    ping: { body: { jsonrpc: '2.0', id: 2, result: {} } },
    'tools/list': {
      body: {
        jsonrpc: '2.0',
        id: 3,
        result: { tools: [{ name: 'listBooks', inputSchema: { type: 'object' } }] },
      },
    },
  };
};
