import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ApiRefusal } from '../rules/refusal/api-refusal.ts';
import { RpcRefusal } from '../rules/refusal/rpc-refusal.ts';
import { errorText, type RpcId } from '../rules/json-rpc.ts';

/** What a function returns to the gateway, payload format 2.0. */
export interface HttpReply {
  readonly statusCode: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

export type Headers = Readonly<Record<string, string>>;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

/** @param text - JSON, sent as it is */
export const jsonText = (statusCode: number, text: string, headers: Headers = {}): HttpReply =>
  reply(statusCode, text, { ...JSON_TYPE, ...headers });

/** @param packed - JSON, by gzip, in base64: for whoever accepts that. Source: RFC 9110 §12.5.3. */
export const packedJson = (packed: string): HttpReply => ({
  statusCode: 200,
  headers: { ...JSON_TYPE, 'content-encoding': 'gzip', vary: 'accept-encoding' },
  body: packed,
  isBase64Encoded: true,
});

export const json = (statusCode: number, value: unknown, headers: Headers = {}): HttpReply =>
  jsonText(statusCode, JSON.stringify(value), headers);

/** What documents of discovery say of themselves to pages of other origins. */
const DISCOVERY = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type',
} as const;

/** A document that anybody may read. */
export const document = (value: unknown, headers: Headers = {}): HttpReply =>
  reply(200, JSON.stringify(value), { ...DISCOVERY, ...JSON_TYPE, ...headers });

/**
 * A document that anybody may read, and keep for a while.
 *
 * @param text - JSON
 * @param ifNoneMatch - the header of the request
 *
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

/** Done, and there is nothing to show. Source: RFC 7009 §2.2. */
export const done = (): HttpReply => reply(200, '', {});

/** The browser goes on with GET, whatever it came with. Source: RFC 9110 §15.4.4. */
export const seeOther = (location: string): HttpReply =>
  reply(303, '', { location, 'referrer-policy': 'no-referrer' });

/** Received, and there is nothing to say. Source: docs/protocol.md, "Bodies and batches". */
export const accepted = (): HttpReply => reply(202, '', {});

/** The answer to OPTIONS; its headers say it all. */
export const preflight = (): HttpReply => reply(204, '', {});

/** An answer of the management API. @param value - its JSON; nothing if undefined */
export const apiReply = (statusCode: number, value?: unknown, headers: Headers = {}): HttpReply =>
  value === undefined ? reply(statusCode, '', headers) : json(statusCode, value, headers);

/**
 * An answer of the management API that Lambda can give: it takes 6 MB. What could be longer is bounded where
 * it is made; this is for what is one piece by its nature.
 *
 * @throws ApiRefusal answer_too_large
 */
export const sendable = (answer: HttpReply): HttpReply => {
  if (isSendable(answer.body, answer.isBase64Encoded)) return answer;
  throw new ApiRefusal(
    'answer_too_large',
    'The answer is larger than the 6 MB that can be sent, and is one piece: make what it shows smaller.',
  );
};

/** Lambda answers with at most 6 MB, base64 included. */
const PLAIN_BYTES = 4 * 1024 * 1024;

/**
 * Somebody's file, to be kept and not to be shown: a browser would run some. A large one is packed,
 * which whoever names no `Accept-Encoding` has agreed to.
 *
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

/**
 * One server-sent event that carries JSON text, then the end.
 * Source: docs/protocol.md, "Media types".
 */
export const messageEvent = (text: string, headers: Headers = {}): HttpReply =>
  eventStream(`event: message\ndata: ${text}\n\n`, headers);

/**
 * A stream on which nothing will come: clients that see it end ask again in an hour, not in a second. There
 * is no event: some clients parse the data of every one as JSON, empty data too, and give the server up.
 *
 * Source: docs/decisions/mcp.md, "The event stream".
 */
export const silentStream = (): HttpReply => eventStream('retry: 3600000\n\n');

const eventStream = (text: string, headers: Headers = {}): HttpReply =>
  reply(200, text, { 'content-type': 'text/event-stream; charset=utf-8', ...headers });

/** A page without scripts, forms or anything from elsewhere. */
export const page = (html: string, styleHash: string): HttpReply =>
  htmlPage(200, { html, styleHash, forms: 'none' });

/** A page and what its Content-Security-Policy must know of it. */
export interface HtmlPage {
  readonly html: string;
  /** Of its one style. */
  readonly styleHash: string;
  /**
   * Where its forms may lead: nowhere, to this service, or through it to another place. For the last
   * there is no `form-action`: Chromium holds it against every redirect that follows, those of the
   * client's own callback included, which nobody here can know. It would guard nothing: what a client
   * chooses on such a page is its name, and its own origin would be allowed.
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
    // Browsers take no notice of it over http, as on one's own machine. Source: RFC 6797 §8.1.
    'strict-transport-security': 'max-age=31536000',
    'x-frame-options': 'DENY',
    ...headers,
  });

/** @param cookie - the value of one `Set-Cookie` */
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
 * A function may return 6 MB of JSON in which our body is a string: its quotes and backslashes
 * count twice there, unless the body goes as base64. 64 KiB are left for the rest.
 *
 * Source: docs/protocol.md, "Bytes and sizes".
 */
const MAX_BYTES = 6 * 1024 * 1024 - 64 * 1024;

/** No character of a JSON text takes more bytes than this, escaped or in UTF-8. */
const MOST_BYTES_PER_CHARACTER = 3;

export interface Answer {
  readonly id: RpcId | null;
  readonly text: string;
}

/** The answers, those that no longer fit replaced by an error that says so. */
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

/** Whether a body takes less room in the function's answer as base64 than as a string. */
export const isSmallerAsBase64 = (body: string): boolean => {
  if (surelyFits(body.length)) return false;
  const { escaped, plain } = sizeOf(body);
  return base64Length(plain) < escaped;
};

/** UTF-8 bytes of a text that can be sent whatever stands in it: as base64, if its escapes take more. */
export const MOST_BODY_BYTES = Math.floor(MAX_BYTES / 4) * 3;

/** Whether a body can be sent as it is. */
export const isSendable = (body: string, isBase64Encoded: boolean): boolean =>
  surelyFits(body.length) || (isBase64Encoded ? body.length : sizeOf(body).escaped) <= MAX_BYTES;

interface WireSize {
  readonly escaped: number;
  readonly plain: number;
}

/** Spares small answers the measuring. */
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
