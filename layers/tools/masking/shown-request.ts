import type { Credential } from '../../target/rules/credential.ts';
import type { TargetRequest } from '../../target/rules/target.ts';
import { MASK, maskingOf } from './mask-secrets.ts';

/** An outgoing request as its owner may see it. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for bytes that are no text, and where there is none. */
  readonly body?: string;
  readonly bodyBytes: number;
}

const MAX_BODY = 64 * 1024;

/**
 * A request without the credential: where it was put, since a short secret could stand anywhere, and in whatever
 * else the caller has not sent himself.
 *
 * @param sent - the arguments that the request was made of
 *
 * Source: docs/decisions/management.md, "Trying a tool".
 */
export const shownRequest = (
  { method, url, headers, body }: TargetRequest,
  credential: Credential | undefined,
  sent: unknown,
): ShownRequest => {
  const mask = maskingOf(credential, sent).text;
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const text = textOf(bytes);
  return {
    method,
    url: mask(withoutKeyInQuery(url, credential)),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        mask(withoutKeyInHeader(name, value, credential)),
      ]),
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

const withoutKeyInHeader = (
  name: string,
  value: string,
  credential: Credential | undefined,
): string => {
  switch (credential?.type) {
    case 'bearer':
    case 'basic':
      return name === 'authorization' ? value.replace(/ .*$/s, ` ${MASK}`) : value;
    case 'api_key':
      if (credential.in === 'header' && name === credential.name.toLowerCase()) return MASK;
      return credential.in === 'cookie' && name === 'cookie'
        ? withoutPair(value, '; ', (key) => key === credential.name)
        : value;
    case undefined:
      return value;
  }
};

const withoutKeyInQuery = (url: string, credential: Credential | undefined): string => {
  if (credential?.type !== 'api_key' || credential.in !== 'query') return url;
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
