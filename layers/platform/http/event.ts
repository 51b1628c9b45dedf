import { gunzipSync } from 'node:zlib';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { SentParameters } from '../rules/sent-parameters.ts';
import { OAuthRefusal } from '../rules/refusal/oauth-refusal.ts';
import { RouterRefusal } from '../rules/refusal/router-refusal.ts';
import { parsedJson } from '../rules/json/parsed-json.ts';

/**
 * The parts in use of a request in API Gateway's payload format 2.0. The gateway creates it, not the client, so its
 * shape is trusted: header names are lower-case, and repeated headers are joined with commas.
 */
export interface HttpEvent {
  readonly rawPath: string;
  /** Query as sent, without `?`. */
  readonly rawQueryString?: string;
  /** `name=value` each; not contained in `headers`. */
  readonly cookies?: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
  readonly requestContext: {
    /** The correlation id. */
    readonly requestId: string;
    readonly http: { readonly method: string; readonly sourceIp: string };
  };
}

export interface LoggedEvent extends HttpEvent {
  readonly logged: LogFields;
  /** Arrival on the monotonic clock. */
  readonly arrivedMs: number;
}

export interface RoutedEvent extends LoggedEvent {
  readonly parameters: Readonly<Record<string, string>>;
}

/** Fields of the request's log line, filled in during processing; their names are fixed here. */
interface LogFields {
  route?: string;
  slug?: string;
  /** MCP version, era and client name of a JSON-RPC body. */
  protocol?: object;
  /** Methods of a JSON-RPC body, one entry per message. */
  rpc?: readonly object[];
}

export const methodOf = (event: HttpEvent): string =>
  event.requestContext.http.method.toUpperCase();

/** Characters as transferred, more than ten times what requests to the authorization server need. */
const MAX_LENGTH = 64 * 1024;
const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Parameters of a form or a JSON object in the body.
 * @throws OAuthRefusal invalid_request
 * Source: RFC 6749 §4.1.3, for forms. JSON is an extension, because some clients send it.
 */
export const bodyParameters = (event: HttpEvent): SentParameters => {
  const isForm = FORM_TYPE.test(event.headers['content-type'] ?? '');
  if (!isForm && !isJsonType(event)) {
    throw invalid('Send the body as application/x-www-form-urlencoded or application/json.');
  }
  if (isTooLarge(event)) throw invalid('The body is too large.');
  const text = bodyText(event);
  if (text === undefined) throw invalid('The body is not valid UTF-8.');
  return isForm ? formParameters(text) : jsonParameters(parsed(text));
};

/** @throws OAuthRefusal invalid_request for invalid percent-encoding or UTF-8 */
export const formParameters = (text: string): SentParameters =>
  grouped(
    text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
        return [decoded(name), decoded(value)];
      }),
  );

/** Parsed like browsers do: invalid percent-encoding is literal, so that one broken parameter does not spoil others. */
export const queryParameters = ({ rawQueryString = '' }: HttpEvent): SentParameters =>
  grouped([...new URLSearchParams(rawQueryString)]);

/** Parameter `state` of a query, still percent-encoded. */
export const queryState = ({ rawQueryString = '' }: HttpEvent): string | undefined =>
  encodedState(rawQueryString);

/** Any JSON body, for endpoints that word their own refusals. @returns undefined where there is no readable JSON */
export const jsonBody = (event: HttpEvent): unknown => {
  if (!isJsonType(event) || isTooLarge(event)) return undefined;
  try {
    return parseJson(bodyText(event) ?? '');
  } catch {
    return undefined;
  }
};

const jsonParameters = (body: unknown): SentParameters => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body must be a JSON object.');
  }
  return new Map(Object.entries(body).map(([name, value]) => [name, [value]]));
};

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
};

const grouped = (pairs: readonly (readonly string[])[]): SentParameters => {
  const parameters = new Map<string, string[]>();
  for (const [name = '', value = ''] of pairs) {
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
};

const isTooLarge = ({ body = '' }: HttpEvent): boolean => body.length > MAX_LENGTH;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('The parameters are not correctly encoded.');
  }
};

const invalid = (description: string) => new OAuthRefusal('invalid_request', description);

type SentBody = Pick<HttpEvent, 'body' | 'headers' | 'isBase64Encoded'>;

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

export const isJsonType = ({ headers }: Pick<HttpEvent, 'headers'>): boolean =>
  JSON_TYPE.test(headers['content-type'] ?? '');

const GZIP_TYPE = /^\s*application\/(?:x-)?gzip\s*(?:;|$)/i;

/** Source: RFC 6713 §3. */
export const isGzipType = ({ headers }: Pick<HttpEvent, 'headers'>): boolean =>
  GZIP_TYPE.test(headers['content-type'] ?? '');

export const bodyLength = ({
  body = '',
  isBase64Encoded,
}: Pick<SentBody, 'body' | 'isBase64Encoded'>): number =>
  Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

/** Bytes of a body; empty if there is none. Invalid UTF-8 in a text was replaced by the gateway (`isRepaired`). */
export const bodyBytes = ({
  body = '',
  isBase64Encoded,
}: Pick<SentBody, 'body' | 'isBase64Encoded'>): Uint8Array =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** Text of a body without byte order mark; empty if there is none. @returns undefined for invalid UTF-8 */
export const bodyText = (sent: SentBody): string | undefined => {
  if (sent.isBase64Encoded) return utf8Text(bodyBytes(sent));
  if (isRepaired(sent)) return undefined;
  const { body = '' } = sent;
  return body.startsWith(BYTE_ORDER_MARK) ? body.slice(BYTE_ORDER_MARK.length) : body;
};

/** Parsers may ignore it at the start of a text. Source: RFC 8259 §8.1. */
const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Whether API Gateway has replaced invalid UTF-8 by U+FFFD. Then the length differs from `Content-Length`; a U+FFFD
 * that the client sent itself does not change it. Chunked bodies have no length and are believed.
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

/** @returns undefined for invalid UTF-8 */
export const utf8Text = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Decompresses at most `maxBytes`, against bombs. @returns 'too_large' above, 'malformed' for anything but gzip */
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
 * Parses the JSON of a request.
 *
 * Middy's parser also refuses keys that could pollute prototypes, and deep nesting. OAuth requires unknown members to
 * be ignored, and the management API reports them as findings, so such text is parsed again without these checks. That
 * is safe: schemas read the result, and look-ups consider own properties only.
 *
 * @throws NotJson
 * Source: RFC 6749 §3.1; RFC 7591 §2.
 */
export const parseJson = (text: string): unknown => {
  const event: ParserEvent = { headers: {}, body: text, isBase64Encoded: false };
  try {
    parser.before({ event });
    return event.body;
  } catch {
    return parsedJson(text);
  }
};

/** The part of an event that Middy's parser uses: it replaces the body's text by its value. */
interface ParserEvent {
  readonly headers: object;
  body: unknown;
  readonly isBase64Encoded: false;
}

/** Middy's parser, not as middleware: bodies are parsed after authentication, with limits and errors by protocol. */
const parser = httpJsonBodyParser({ disableContentTypeCheck: true }) as unknown as {
  before(request: { readonly event: ParserEvent }): void;
};

/**
 * Parameter `state` of a query, still percent-encoded, so that its bytes are returned unchanged even if they are no
 * valid UTF-8.
 * @param query - without `?`
 * @returns undefined if it is missing, empty or repeated
 * Source: RFC 6749 §4.1.1, §4.1.2.
 */
export const encodedState = (query: string): string | undefined => {
  const states = query.split('&').filter((pair) => parameterName(pair) === 'state');
  const [pair = '', second] = states;
  const at = pair.indexOf('=');
  const value = second === undefined && at >= 0 ? pair.slice(at + 1) : '';
  return value === '' ? undefined : canonical(value);
};

const parameterName = (pair: string): string | undefined =>
  [...new URLSearchParams(pair).keys()][0];

/** Keeps percent-encoding; a plus means a space, and an invalid percent sign is encoded itself. */
const canonical = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll('+', '%20')
    .replace(/%(?![\da-f]{2})|[^\w.~%-]+/gi, encodeURIComponent);

/** Event to take care of one deployment, which only the maintenance function may send. */
export const isCareEvent = (event: object): boolean => 'takeCareOf' in event;

/** Whether an event is an operator's command; events of the gateway have no such member. */
export const isOperatorEvent = (
  event: unknown,
): event is { readonly operator: unknown; readonly claimedActor?: unknown } =>
  typeof event === 'object' && event !== null && Object.hasOwn(event, 'operator');

const MOST_RPC_BYTES = 4 * 1024 * 1024;

/** @throws RouterRefusal unsupported_media_type unless the body is declared as JSON */
export const checkJsonType = (event: HttpEvent): void => {
  if (isJsonType(event)) return;
  throw new RouterRefusal('unsupported_media_type', 'Send the body as application/json.');
};

/**
 * Text of a JSON-RPC body, which is parsed elsewhere with errors of JSON-RPC; empty if there is none.
 * @returns undefined for invalid UTF-8
 * @throws RouterRefusal payload_too_large
 */
export const rpcText = (event: HttpEvent): string | undefined => {
  if (bodyLength(event) <= MOST_RPC_BYTES) return bodyText(event);
  throw new RouterRefusal('payload_too_large', `The body is larger than ${MOST_RPC_BYTES} bytes.`);
};

/**
 * Whether a client accepts an event stream at all, or nothing else. Without an `Accept` header, clients get JSON.
 * Source: RFC 9110 §12.5.1; docs/protocol.md, "Media types".
 */
export const acceptsEventStream = (event: HttpEvent): boolean =>
  acceptedTypes(event).includes(EVENT_STREAM);

export const acceptsOnlyEventStream = (event: HttpEvent): boolean => {
  const types = acceptedTypes(event);
  return types.includes(EVENT_STREAM) && !types.some((type) => JSON_RANGES.has(type));
};

const EVENT_STREAM = 'text/event-stream';

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

const acceptedTypes = ({ headers }: HttpEvent): readonly string[] =>
  (headers['accept'] ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((one) => REFUSED.test(one)))
    .map(([type = '']) => type);

/** `q=0` means "not acceptable". */
const REFUSED = /^q\s*=\s*0(?:\.0*)?$/;
