import { MAX_REQUEST_HEAD_BYTES, NoAnswer, type TargetRequest } from '../rules/target.ts';
import { ACCEPT_ENCODING } from './decoder.ts';

/** One request on its way, with a URL that has been read. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** @throws NoAnswer `invalid_request` */
export const firstHop = ({ url: text, ...request }: TargetRequest): Hop => {
  const url = URL.parse(text);
  if (!url) throw new NoAnswer('invalid_request', 'the URL is not valid');
  const head = [url.href, ...Object.entries(request.headers).flat()];
  if (head.reduce((bytes, { length }) => bytes + length, 0) > MAX_REQUEST_HEAD_BYTES) {
    throw new NoAnswer('invalid_request', `${url.origin}: URL and headers are too large`);
  }
  return { ...request, url };
};

/**
 * What goes on the wire: the request's headers and, where it has none of the name, what every client sends. Headers
 * that frame messages and connections are Node's alone to write.
 */
export const headersOf = ({ headers, body }: Hop): Record<string, string | number> => ({
  accept: '*/*',
  'accept-encoding': ACCEPT_ENCODING,
  'user-agent': 'hosted-mcp',
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !FRAMING.has(name))),
  // Node writes none for methods that usually have no body, and the server would take it for another request.
  ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
});

const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
