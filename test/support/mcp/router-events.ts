import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import { eventBody } from '../../../local/gateway/event-body.ts';

export type SentHeaders = Readonly<Record<string, string | undefined>>;

let addresses = 0;

/** A client address that no other request of the run has, so that limits do not add up. */
export const anAddress = (): string => {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
};

/** An event of the gateway. */
export const anEvent = (
  method: string,
  path: string,
  over: {
    readonly headers?: SentHeaders;
    /** Bytes are handed on as the gateway does it. */
    readonly body?: string | Uint8Array;
    readonly sourceIp?: string;
  } = {},
): HttpEvent => ({
  rawPath: path,
  headers: {
    ...(over.body !== undefined && { 'content-length': String(Buffer.byteLength(over.body)) }),
    ...over.headers,
  },
  ...bodyFor(over.body, over.headers?.['content-type']),
  requestContext: {
    requestId: 'request-1',
    http: { method, sourceIp: over.sourceIp ?? anAddress() },
  },
});

const bodyFor = (body: string | Uint8Array | undefined, contentType: string | undefined) => {
  if (body === undefined) return { isBase64Encoded: false };
  return typeof body === 'string'
    ? { body, isBase64Encoded: false }
    : eventBody(Buffer.from(body), contentType);
};

/** A path of a deployment. */
export const at = (slug: string, end = ''): string => `/v1/mcp-router/${slug}${end}`;

export const get = (path: string, headers: SentHeaders = {}, sourceIp = anAddress()) =>
  anEvent('GET', path, { headers, sourceIp });

/** A POST of JSON, or of a text as it is. */
export const post = (
  path: string,
  sent: unknown,
  headers: SentHeaders = {},
  sourceIp = anAddress(),
) =>
  anEvent('POST', path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof sent === 'string' ? sent : JSON.stringify(sent),
    sourceIp,
  });

export const rpc = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});
