import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import { anAddress, post, type SentHeaders } from './router-events.ts';

export const MODERN = '2026-07-28';

export const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
} as const;

type Params = Readonly<Record<string, unknown>>;

/** A request as clients of 2026-07-28 write it. */
export const modernRpc = (method: string, params: Params = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { _meta: META, ...params },
});

/** The headers that belong to it. */
export const modernHeaders = (method: string, { name, uri }: Params = {}): SentHeaders => {
  const named = typeof name === 'string' ? name : uri;
  return {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': named }),
  };
};

/** Both; what `headers` has undefined is not sent. */
export const modernPost = (
  path: string,
  method: string,
  params: Params = {},
  headers: SentHeaders = {},
  sourceIp: string = anAddress(),
): HttpEvent =>
  post(path, modernRpc(method, params), { ...modernHeaders(method, params), ...headers }, sourceIp);
