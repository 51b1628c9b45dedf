import { gunzipSync } from 'node:zlib';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { HttpEvent } from './event.ts';

type SentBody = Pick<HttpEvent, 'body' | 'headers' | 'isBase64Encoded'>;

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

/** Whether a body is declared as JSON. */
export const isJsonType = ({ headers }: Pick<HttpEvent, 'headers'>): boolean =>
  JSON_TYPE.test(headers['content-type'] ?? '');

const GZIP_TYPE = /^\s*application\/(?:x-)?gzip\s*(?:;|$)/i;

/** Whether a body is declared as a file that gzip made. Source: RFC 6713, section 3. */
export const isGzipType = ({ headers }: Pick<HttpEvent, 'headers'>): boolean =>
  GZIP_TYPE.test(headers['content-type'] ?? '');

/** How many bytes a body has, as it was sent. */
export const bodyLength = ({
  body = '',
  isBase64Encoded,
}: Pick<SentBody, 'body' | 'isBase64Encoded'>): number =>
  Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

/** The bytes of a body, as they were sent unless they are a text that is no UTF-8; none if there is none. */
export const bodyBytes = ({
  body = '',
  isBase64Encoded,
}: Pick<SentBody, 'body' | 'isBase64Encoded'>): Uint8Array =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** A body as text; empty if there is none. @returns undefined if its bytes are not valid UTF-8 */
export const bodyText = (sent: SentBody): string | undefined => {
  if (sent.isBase64Encoded) return utf8Text(bodyBytes(sent));
  return isRepaired(sent) ? undefined : (sent.body ?? '');
};

/**
 * Whether the gateway has put U+FFFD where bytes of a text were no UTF-8. It tells by the length alone:
 * where a sender wrote the character, the text is as long as it was sent. A body sent in chunks has no
 * length, and is believed.
 */
export const isRepaired = ({ body = '', headers, isBase64Encoded }: SentBody): boolean => {
  const sentLength = headers['content-length'];
  return (
    !isBase64Encoded &&
    sentLength !== undefined &&
    body.includes('\u{fffd}') &&
    Buffer.byteLength(body) !== Number(sentLength)
  );
};

/** @returns undefined for bytes that are not valid UTF-8 */
export const utf8Text = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/**
 * What was packed with gzip. Unpacking stops at the first byte too many, so that a small body cannot
 * become a large one.
 *
 * @returns 'too_large' for more than `maxBytes`, 'malformed' for what gzip did not make
 */
export const unpacked = (
  bytes: Uint8Array,
  maxBytes: number,
): Uint8Array | 'too_large' | 'malformed' => {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'malformed';
  }
};

/**
 * The JSON that a request was written as.
 *
 * Middy's parser refuses more than broken JSON: keys that reach for prototypes, and more levels than it
 * has stack for. Such members are unknown ones, which OAuth wants ignored and the management API names in
 * a finding. They harm nobody: what is parsed is read by schemas, and looked up among own properties.
 *
 * @throws SyntaxError
 *
 * Source: RFC 6749 §3.1; RFC 7591 §2.
 */
export const parseJson = (text: string): unknown => {
  const event: ParserEvent = { headers: {}, body: text, isBase64Encoded: false };
  try {
    parser.before({ event });
    return event.body;
  } catch {
    return JSON.parse(text);
  }
};

/** As much of an event as the parser touches: it puts a value in the place of its text. */
interface ParserEvent {
  readonly headers: object;
  body: unknown;
  readonly isBase64Encoded: false;
}

/**
 * Run by hand and not as a step of all requests: what a stranger sends is parsed only once it is known who
 * asks, and each protocol has its own types, sizes and words.
 */
const parser = httpJsonBodyParser({ disableContentTypeCheck: true }) as unknown as {
  before(request: { readonly event: ParserEvent }): void;
};
