import type { CarriedCredential } from '../../target/rules/credential.ts';
import type { TargetAnswer, TargetRequest } from '../../target/rules/target.ts';
import { MASK, maskingOf } from './mask-secrets.ts';
import { isSecretHeader } from './secret-headers.ts';

interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for no body, and for bytes that are not UTF-8. */
  readonly body?: string;
  readonly bodyBytes: number;
}

const MAX_BODY = 64 * 1024;

/**
 * The request without credentials: removed from their place, since a short secret could occur anywhere, and masked
 * wherever the caller did not send them.
 * @param sent - arguments that the request was built from
 * Source: docs/decisions/management.md, "Trying a tool".
 */
export const shownRequest = (
  { method, url, headers, headerLines = {}, body }: TargetRequest,
  credentials: readonly CarriedCredential[],
  sent: unknown,
): ShownRequest => {
  const mask = maskingOf(credentials, sent).text;
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const text = textOf(bytes);
  return {
    method,
    url: mask(credentials.reduce(withoutKeyInQuery, url)),
    headers: Object.fromEntries(
      // Several lines are the same as one with commas. Source: RFC 9110 §5.3.
      [...Object.entries(headerLines), ...Object.entries(headers)].map(([name, values]) => {
        const value = [values].flat().join(', ');
        return [
          name,
          mask(credentials.reduce((shown, one) => withoutKeyInHeader(name, shown, one), value)),
        ];
      }),
    ),
    ...(text !== undefined && { body: mask(text).slice(0, MAX_BODY).toWellFormed() }),
    bodyBytes: bytes.length,
  };
};

const textOf = (bytes: Buffer): string | undefined => {
  if (bytes.length === 0) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const withoutKeyInHeader = (name: string, value: string, credential: CarriedCredential): string => {
  switch (credential.type) {
    case 'bearer':
    case 'basic':
      return name === 'authorization' ? value.replace(/ .*$/s, ` ${MASK}`) : value;
    // Signatures are added later, and a client certificate belongs to the connection.
    case 'hmac':
    case 'mutual_tls':
    case 'aws_keys':
      return value;
    case 'api_key':
      if (credential.in === 'header' && name === credential.name.toLowerCase()) return MASK;
      return credential.in === 'cookie' && name === 'cookie'
        ? withoutPair(value, '; ', (key) => key === credential.name)
        : value;
  }
};

const withoutKeyInQuery = (url: string, credential: CarriedCredential): string => {
  if (credential.type !== 'api_key' || credential.in !== 'query') return url;
  const [path = '', ...query] = url.split('?');
  const isKey = (key: string) => decoded(key) === credential.name;
  return query.length === 0 ? url : `${path}?${withoutPair(query.join('?'), '&', isKey)}`;
};

const withoutPair = (text: string, separator: string, isKey: (name: string) => boolean): string =>
  text
    .split(separator)
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return isKey(name) ? `${name}=${MASK}` : pair;
    })
    .join(separator);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

interface ShownAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const MOST_HEADERS = 60;
const MOST_CHARACTERS = 1000;

/**
 * Status and headers of an answer, with credentials, cookies and other secrets masked. At most 60 headers of 1,000
 * characters each.
 * @param sent - arguments that the request was built from
 * Source: docs/decisions/management.md, "Trying a tool".
 */
export const shownAnswer = (
  { status, headers }: TargetAnswer,
  credentials: readonly CarriedCredential[],
  sent: unknown,
): ShownAnswer => {
  const mask = maskingOf(credentials, sent).text;
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers)
        .slice(0, MOST_HEADERS)
        .map(([name, value]) => [
          name,
          isSecretHeader(name) ? MASK : mask(value).slice(0, MOST_CHARACTERS).toWellFormed(),
        ]),
    ),
  };
};
