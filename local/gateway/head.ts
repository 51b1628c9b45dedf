import type { IncomingMessage } from 'node:http';
import type { GatewayResponseKind } from './gateway-responses.ts';
import { MAX_HEAD_BYTES } from './quotas.ts';

export interface RequestHead {
  readonly method: string;
  /** `HTTP/1.1` */
  readonly protocol: string;
  /** Percent-decoded, as HTTP APIs hand it to functions. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** Lower-case names; values of one name joined with commas, in the order they came. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the request line and the headers, or says why they cannot be served. */
export const readHead = (request: IncomingMessage): RequestHead | GatewayResponseKind => {
  const { method = '', url: target = '', httpVersion, rawHeaders } = request;
  if (sizeOf(method, target, httpVersion, rawHeaders) > MAX_HEAD_BYTES) return 'headTooLarge';

  // An absolute address, as for a proxy, and `OPTIONS *` name nothing that is served here.
  if (!target.startsWith('/')) return 'malformed';
  const [rawPath = '', query = ''] = splitOnce(target, '?');
  const path = decoded(rawPath);
  if (path === undefined) return 'malformed';

  return {
    method,
    protocol: `HTTP/${httpVersion}`,
    path,
    query,
    headers: joinedHeaders(rawHeaders),
  };
};

/** API Gateway counts the request line and the values of headers, not their names. */
const sizeOf = (
  method: string,
  target: string,
  httpVersion: string,
  rawHeaders: readonly string[],
): number => {
  const requestLine = `${method} ${target} HTTP/${httpVersion}`.length;
  return rawHeaders.reduce(
    (sum, text, at) => (at % 2 === 1 ? sum + text.length : sum),
    requestLine,
  );
};

/** Joins headers of the raw list, since Node keeps only the first of several `authorization` headers. */
const joinedHeaders = (rawHeaders: readonly string[]): Record<string, string> => {
  const joined = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const before = joined.get(name);
    joined.set(
      name,
      before === undefined ? value : `${before}${name === 'cookie' ? ';' : ','}${value}`,
    );
  }
  return Object.fromEntries(joined);
};

const splitOnce = (text: string, separator: string): readonly string[] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

const decoded = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
};
