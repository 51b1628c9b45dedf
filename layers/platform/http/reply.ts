import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ApiRefusal } from '../rules/refusal/api-refusal.ts';
import { RpcRefusal } from '../rules/refusal/rpc-refusal.ts';
import { errorText, type RpcId } from '../rules/json-rpc.ts';

/** Answer to API Gateway, payload format 2.0. */
export interface HttpReply {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

export type Headers = Readonly<Record<string, string>>;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

/** @param text - JSON */
export const jsonText = (statusCode: number, text: string, headers: Headers = {}): HttpReply =>
  reply(statusCode, text, { ...JSON_TYPE, ...headers });

/** @param packed - JSON as base64 of gzip, for clients that accept gzip. Source: RFC 9110 §12.5.3. */
export const packedJson = (packed: string): HttpReply => ({
  statusCode: 200,
  headers: { ...JSON_TYPE, 'content-encoding': 'gzip', vary: 'accept-encoding' },
  body: packed,
  isBase64Encoded: true,
});

export const json = (statusCode: number, value: unknown, headers: Headers = {}): HttpReply =>
  jsonText(statusCode, JSON.stringify(value), headers);

const DISCOVERY = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type',
} as const;

export const document = (value: unknown, headers: Headers = {}): HttpReply =>
  reply(200, JSON.stringify(value), { ...DISCOVERY, ...JSON_TYPE, ...headers });

/**
 * A public document that may be cached.
 * @param text - JSON
 * @param ifNoneMatch - header of the request
 * Source: RFC 9110 §13.1.2; RFC 9111 §5.2.2.
 */
export const cachedDocument = (
  text: string,
  {
    mediaType,
    maxAgeSeconds,
    ifNoneMatch,
  }: {
    readonly mediaType: string;
    readonly maxAgeSeconds: number;
    readonly ifNoneMatch: string | undefined;
  },
): HttpReply => {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const headers = {
    ...DISCOVERY,
    'access-control-allow-methods': 'GET, OPTIONS',
    'access-control-allow-headers': 'accept, content-type, if-none-match',
    'access-control-expose-headers': 'ETag',
    'cache-control': `public, max-age=${maxAgeSeconds}`,
    etag,
  };
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return reply(304, '', headers);
  return reply(200, text, { ...headers, 'content-type': mediaType });
};

/** Empty success. Source: RFC 7009 §2.2. */
export const done = (): HttpReply => reply(200, '', {});

/** Redirect after which browsers always use GET. Source: RFC 9110 §15.4.4. */
export const seeOther = (location: string): HttpReply =>
  reply(303, '', { location, 'referrer-policy': 'no-referrer' });

/** Reply to notifications, which get no answer. Source: docs/protocol.md, "Bodies and batches". */
export const accepted = (): HttpReply => reply(202, '', {});

/** Answer to OPTIONS; `cors` adds its headers. */
export const preflight = (): HttpReply => reply(204, '', {});

/** Answer of the management API. @param value - JSON; undefined: no body */
export const apiReply = (statusCode: number, value?: unknown, headers: Headers = {}): HttpReply =>
  value === undefined ? reply(statusCode, '', headers) : json(statusCode, value, headers);

/**
 * Refuses an answer above Lambda's limit of 6 MB. Lists are limited where they are built; this is for answers that
 * cannot be split.
 * @throws ApiRefusal answer_too_large
 */
export const sendable = (answer: HttpReply): HttpReply => {
  if (isSendable(answer.body, answer.isBase64Encoded)) return answer;
  throw new ApiRefusal(
    'answer_too_large',
    'The answer is larger than the 6 MB that can be sent, and is one piece: make what it shows smaller.',
  );
};

/** Larger files are compressed: Lambda's limit of 6 MB includes base64. */
const PLAIN_BYTES = 4 * 1024 * 1024;

/**
 * A user's file as a download, since a browser could execute it if shown. Large files are compressed regardless of
 * `Accept-Encoding`: without this header, any encoding is acceptable.
 * Source: RFC 9110 §12.5.3.
 */
export const fileReply = ({
  bytes,
  mediaType,
}: {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}): HttpReply => {
  const packed = bytes.length > PLAIN_BYTES;
  return {
    statusCode: 200,
    headers: {
      'content-type': mediaType,
      'content-disposition': 'attachment',
      ...(packed && { 'content-encoding': 'gzip' }),
    },
    body: Buffer.from(packed ? gzipSync(bytes) : bytes).toString('base64'),
    isBase64Encoded: true,
  };
};

/** A stream with one server-sent event of JSON text. Source: docs/protocol.md, "Media types". */
export const messageEvent = (text: string, headers: Headers = {}): HttpReply =>
  eventStream(`event: message\ndata: ${text}\n\n`, headers);

/**
 * A stream without events that tells clients to reconnect after an hour rather than a second. An empty event would be
 * wrong: some clients parse the data of every event as JSON, even if empty, and give up.
 * Source: docs/decisions/mcp.md, "The event stream".
 */
export const silentStream = (): HttpReply => eventStream('retry: 3600000\n\n');

const eventStream = (text: string, headers: Headers = {}): HttpReply =>
  reply(200, text, { 'content-type': 'text/event-stream; charset=utf-8', ...headers });

export const page = (html: string, styleHash: string): HttpReply =>
  htmlPage(200, { html, styleHash, forms: 'none' });

/** HTML and what its Content-Security-Policy depends on. */
export interface HtmlPage {
  readonly html: string;
  readonly styleHash: string;
  /**
   * Targets of forms: none, this service, or redirects from this service to other sites. The last needs a policy
   * without `form-action`: Chromium applies it to all redirects that follow, even those of the client's callback, which
   * are unknown here. Nothing is lost: a client can only inject its name into such a page, and its own origin would
   * have to be allowed anyway.
   */
  readonly forms: 'none' | 'here' | 'through';
}

const FORM_ACTION = { none: "form-action 'none'; ", here: "form-action 'self'; ", through: '' };

/** Source: docs/protocol.md, "Login and consent pages". */
export const htmlPage = (
  statusCode: number,
  { html, styleHash, forms }: HtmlPage,
  headers: Headers = {},
): HttpReply =>
  reply(statusCode, html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src '${styleHash}'; ${FORM_ACTION[forms]}` +
      "base-uri 'none'; frame-ancestors 'none'",
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    // Browsers ignore it over http, as in a local run. Source: RFC 6797 §8.1.
    'strict-transport-security': 'max-age=31536000',
    'x-frame-options': 'DENY',
    ...headers,
  });

/** @param cookie - value of one `Set-Cookie` header */
export const withCookie = (answer: HttpReply, cookie: string): HttpReply => ({
  ...answer,
  cookies: [...(answer.cookies ?? []), cookie],
});

const reply = (statusCode: number, text: string, headers: Headers): HttpReply => {
  const isBase64Encoded = isSmallerAsBase64(text);
  const body = isBase64Encoded ? Buffer.from(text).toString('base64') : text;
  return { statusCode, headers, body, isBase64Encoded };
};

/**
 * Maximum of a body within Lambda's 6 MB answer, minus 64 KiB for the rest. The answer is JSON that contains the body
 * as a string, in which quotes and backslashes count twice, unless the body is sent as base64.
 * Source: docs/protocol.md, "Bytes and sizes".
 */
const MAX_BYTES = 6 * 1024 * 1024 - 64 * 1024;

/** Maximum per UTF-16 unit of JSON text, whether escaped or as UTF-8. */
const MOST_BYTES_PER_CHARACTER = 3;

export interface Answer {
  readonly id: RpcId | null;
  readonly text: string;
}

/** Replaces answers that no longer fit by errors. */
export const withinBudget = (answers: readonly Answer[]): readonly Answer[] => {
  const characters = answers.reduce((sum, { text }) => sum + text.length, 0);
  if (surelyFits(characters)) return answers;

  let used: WireSize = { escaped: 0, plain: 0 };
  return answers.map((answer) => {
    const size = sizeOf(answer.text);
    const together = { escaped: used.escaped + size.escaped, plain: used.plain + size.plain };
    if (!fits(together)) return { id: answer.id, text: errorText(answer.id, tooLarge()) };
    used = together;
    return answer;
  });
};

/** @throws RpcRefusal server_error if a text is too large to be sent */
export const checkFits = (text: string): void => {
  if (!surelyFits(text.length) && !fits(sizeOf(text))) throw tooLarge();
};

/** Whether base64 is shorter than an escaped JSON string. */
export const isSmallerAsBase64 = (body: string): boolean => {
  if (surelyFits(body.length)) return false;
  const { escaped, plain } = sizeOf(body);
  return base64Length(plain) < escaped;
};

/** UTF-8 bytes of text that always fits, since base64 is used where escaping takes more. */
export const MOST_BODY_BYTES = Math.floor(MAX_BYTES / 4) * 3;

export const isSendable = (body: string, isBase64Encoded: boolean): boolean =>
  surelyFits(body.length) || (isBase64Encoded ? body.length : sizeOf(body).escaped) <= MAX_BYTES;

interface WireSize {
  readonly escaped: number;
  readonly plain: number;
}

/** Avoids measuring small answers. */
const surelyFits = (characters: number): boolean =>
  characters * MOST_BYTES_PER_CHARACTER <= MAX_BYTES;

const sizeOf = (text: string): WireSize => ({
  escaped: Buffer.byteLength(JSON.stringify(text)),
  plain: Buffer.byteLength(text),
});

const fits = ({ escaped, plain }: WireSize): boolean =>
  Math.min(escaped, base64Length(plain)) <= MAX_BYTES;

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

const tooLarge = () =>
  new RpcRefusal(
    'server_error',
    'The answer is larger than the 6 MB that can be sent. Ask for less: fewer items, a page, a filter.',
    { reason: 'answer_too_large' },
  );
