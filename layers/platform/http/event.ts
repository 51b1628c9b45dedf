import { gunzipSync } from 'node:zlib';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { SentParameters } from '../rules/sent-parameters.ts';
import { OAuthRefusal } from '../rules/refusal/oauth-refusal.ts';
import { RouterRefusal } from '../rules/refusal/router-refusal.ts';
import { parsedJson } from '../rules/json/parsed-json.ts';

/**
 * A request as API Gateway's HTTP API hands it over (payload format 2.0), as far as it is read here.
 * The gateway makes it, not the client, so that its shape is believed: header names are lower-case,
 * repeated headers are joined with a comma.
 */
export interface HttpEvent {
  readonly rawPath: string;
  /** As sent, without the question mark. */
  readonly rawQueryString?: string;
  /** `name=value`, one by one; they are not among the headers. */
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

/** An event with room for what the log will say. */
export interface LoggedEvent extends HttpEvent {
  readonly logged: LogFields;
  /** On the clock for durations. */
  readonly arrivedMs: number;
}

/** An event that has found its endpoint. */
export interface RoutedEvent extends LoggedEvent {
  /** The places of the route's path. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What the request's line in the log says; filled in on the way. Only names that we know ourselves. */
interface LogFields {
  route?: string;
  slug?: string;
  /** What a JSON-RPC body spoke: era, version, and the name that the client gives itself. */
  protocol?: object;
  /** What a JSON-RPC body asked for, message by message. */
  rpc?: readonly object[];
}

export const methodOf = (event: HttpEvent): string =>
  event.requestContext.http.method.toUpperCase();

/** Characters, as transferred. No request to the authorization server needs a tenth of it. */
const MAX_LENGTH = 64 * 1024;
const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * The parameters of a body, a form or a JSON object.
 *
 * @throws OAuthRefusal invalid_request
 *
 * Source: RFC 6749 §4.1.3. JSON is ours: clients send it.
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

/**
 * The parameters of a form.
 *
 * @throws OAuthRefusal invalid_request for a percent sign that encodes nothing, or no UTF-8
 */
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

/**
 * The parameters of a query, as browsers read them: what is wrongly encoded stands for itself, since
 * one unknown parameter must not spoil the rest.
 */
export const queryParameters = ({ rawQueryString = '' }: HttpEvent): SentParameters =>
  grouped([...new URLSearchParams(rawQueryString)]);

/** The `state` of a query, still encoded. */
export const queryState = ({ rawQueryString = '' }: HttpEvent): string | undefined =>
  encodedState(rawQueryString);

/**
 * A JSON body, whatever it is, for endpoints that refuse what is none in their own words.
 *
 * @returns undefined where there is none that can be read
 */
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

/** Whether a body is declared as JSON. */
export const isJsonType = ({ headers }: Pick<HttpEvent, 'headers'>): boolean =>
  JSON_TYPE.test(headers['content-type'] ?? '');

const GZIP_TYPE = /^\s*application\/(?:x-)?gzip\s*(?:;|$)/i;

/** Whether a body is declared as a file that gzip made. Source: RFC 6713, section 3. */
export const isGzipType = ({ headers }: Pick<HttpEvent, 'headers'>): boolean =>
  GZIP_TYPE.test(headers['content-type'] ?? '');

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

/** A body as text, without a byte order mark; empty if there is none. @returns undefined if its bytes are not valid UTF-8 */
export const bodyText = (sent: SentBody): string | undefined => {
  if (sent.isBase64Encoded) return utf8Text(bodyBytes(sent));
  if (isRepaired(sent)) return undefined;
  const { body = '' } = sent;
  return body.startsWith(BYTE_ORDER_MARK) ? body.slice(BYTE_ORDER_MARK.length) : body;
};

/** Where a body begins with one, it is no part of the text. Source: RFC 8259 §8.1. */
const BYTE_ORDER_MARK = '\u{feff}';

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
 * @throws NotJson
 *
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

/**
 * The `state` of a query, percent-encoded as it goes back, so that its bytes survive whatever they
 * are: text, or bytes that are no UTF-8.
 *
 * @param query - without the question mark
 * @returns undefined if there is none, an empty one, or two
 *
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

/** What is encoded stays so; a plus is a space in a query, and a lone percent sign only itself. */
const canonical = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll('+', '%20')
    .replace(/%(?![\da-f]{2})|[^\w.~%-]+/gi, encodeURIComponent);

/** Maintenance alone may send one, which no route leads to: to take care of one deployment. */
export const isCareEvent = (event: object): boolean => 'takeCareOf' in event;

/** Whether an event comes from an operator and not from the gateway, whose events have no such member. */
export const isOperatorEvent = (event: unknown): event is OperatorEvent =>
  typeof event === 'object' && event !== null && Object.hasOwn(event, 'operator');

interface OperatorEvent {
  readonly operator: unknown;
  readonly claimedActor?: unknown;
}

const MOST_RPC_BYTES = 4 * 1024 * 1024;

/** @throws RouterRefusal unsupported_media_type unless the body is declared as JSON */
export const checkJsonType = (event: HttpEvent): void => {
  if (isJsonType(event)) return;
  throw new RouterRefusal('unsupported_media_type', 'Send the body as application/json.');
};

/**
 * The text of a JSON-RPC body, whose own errors say what is wrong with it; empty if there is none.
 *
 * @returns undefined if its bytes are not valid UTF-8
 * @throws RouterRefusal payload_too_large
 */
export const rpcText = (event: HttpEvent): string | undefined => {
  if (bodyLength(event) <= MOST_RPC_BYTES) return bodyText(event);
  throw new RouterRefusal('payload_too_large', `The body is larger than ${MOST_RPC_BYTES} bytes.`);
};

/**
 * Whether a client takes an event stream, and whether it takes nothing but that. A client that says
 * nothing takes anything, and gets JSON.
 *
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

/** A weight of zero means "not acceptable". */
const REFUSED = /^q\s*=\s*0(?:\.0*)?$/;
