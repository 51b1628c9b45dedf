import { legacyCost } from './methods.ts';
import type { RpcId } from '../../platform/rules/json-rpc.ts';
import { member, isObject, nestsDeeperThan } from '../../platform/rules/json/json.ts';
import type { RpcIds } from '../../platform/rules/refusal/router-refusal.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { trimmed } from '../../platform/rules/text.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { once } from '../../platform/rules/once.ts';

/** One JSON-RPC message, as classified. Source: JSON-RPC 2.0 §4, §5; docs/protocol.md, "Invalid messages". */
export type RpcMessage =
  | {
      readonly kind: 'request';
      readonly id: RpcId;
      readonly method: string;
      /** Unchecked: each method says whether it must be an object. */
      readonly params: unknown;
    }
  | { readonly kind: 'notification' }
  | { readonly kind: 'response' }
  | {
      readonly kind: 'invalid';
      readonly id: RpcId | null;
      readonly refusal: RpcRefusal;
    };

/** Never throws: what is not a JSON-RPC message becomes kind `invalid`. */
export const readMessage = (sent: unknown): RpcMessage => {
  if (!isObject(sent)) return invalid(null, 'a message must be a JSON object');
  const { jsonrpc, id, method } = sent;
  const readableId = isId(id) ? id : null;

  if (jsonrpc !== '2.0') return invalid(readableId, '"jsonrpc" must be "2.0"');
  if (isResponse(sent)) return { kind: 'response' };
  if (id !== undefined && readableId === null) {
    return invalid(null, '"id" must be a string or a whole number');
  }
  if (typeof method !== 'string') return invalid(readableId, '"method" must be a string');
  if (readableId === null) return { kind: 'notification' };
  return { kind: 'request', id: readableId, method, params: sent['params'] };
};

export const invalid = (id: RpcId | null, what: string): RpcMessage => ({
  kind: 'invalid',
  id,
  refusal: invalidRequest(what),
});

/** @param what - completes the sentence "Invalid Request:" */
export const invalidRequest = (what: string): RpcRefusal =>
  new RpcRefusal('invalid_request', `Invalid Request: ${what}.`);

/** Whole numbers beyond 2^53 were rounded while parsing: echoing them would answer another id. */
const isId = (value: unknown): value is RpcId =>
  typeof value === 'string' || Number.isSafeInteger(value);

/** An error response may have a null id: its sender could not read the id of our message. */
const isResponse = (sent: Readonly<Record<string, unknown>>): boolean => {
  if (sent['method'] !== undefined) return false;
  if (Object.hasOwn(sent, 'error')) return isId(sent['id']) || sent['id'] === null;
  return Object.hasOwn(sent, 'result') && isId(sent['id']);
};

export interface RpcBody {
  /** Whether they came as an array: then the answers form an array, too. */
  readonly batch: boolean;
  readonly messages: readonly RpcMessage[];
}

const BATCH_MAX_MESSAGES = 100;

/** A request body, parsed at most once. */
export interface SentBody {
  /**
   * Whether the base URL and the legacy endpoint treat the body as JSON-RPC, which one member of a
   * batch suffices for. Any other body gets the discovery document, or is a legacy call. Source:
   * docs/protocol.md, "Discovery document"; docs/decisions/mcp.md, "The legacy endpoint".
   */
  readonly speaksRpc: () => boolean;
  /**
   * @throws RpcRefusal parse_error; invalid_request if it nests too deeply
   * Source: docs/protocol.md, "Error codes", "Bytes and sizes".
   */
  readonly value: () => unknown;
  /**
   * Never throws: a body that is not JSON-RPC is one `invalid` message. Source: JSON-RPC 2.0 §6;
   * docs/decisions/mcp.md, "Batches"; docs/protocol.md, "Invalid messages".
   */
  readonly messages: () => RpcBody;
}

/** @param text - undefined if the body's bytes are not valid UTF-8 */
export const sentBody = (text: string | undefined): SentBody => {
  const parsed = once(() => (text === undefined ? undefined : jsonOrUndefined(text)));
  const value = (): unknown => {
    if (text === undefined || !text.isWellFormed()) {
      throw new RpcRefusal('parse_error', 'Parse error: the body is not valid UTF-8.');
    }
    if (nestsDeeperThan(text, MAX_NESTING)) {
      const description = `Invalid Request: the body nests deeper than ${MAX_NESTING} levels.`;
      throw new RpcRefusal('invalid_request', description);
    }
    const sent = parsed();
    if (sent !== undefined) return sent;
    throw new RpcRefusal('parse_error', 'Parse error: the body is not valid JSON.');
  };
  return {
    speaksRpc: () => [parsed()].flat().some(isCall),
    value,
    messages: once(() => {
      try {
        return messagesIn(value());
      } catch (refusal) {
        if (!(refusal instanceof RpcRefusal)) throw refusal;
        return single({ kind: 'invalid', id: null, refusal });
      }
    }),
  };
};

const MAX_NESTING = 200;

const isCall = (sent: unknown): boolean =>
  typeof sent === 'object' &&
  sent !== null &&
  'jsonrpc' in sent &&
  sent.jsonrpc === '2.0' &&
  Object.hasOwn(sent, 'method');

const messagesIn = (sent: unknown): RpcBody => {
  if (!Array.isArray(sent)) return single(readMessage(sent));
  if (sent.length === 0) return single(invalid(null, 'a batch must hold at least one message'));
  if (sent.length > BATCH_MAX_MESSAGES) {
    return single(invalid(null, `a batch may hold at most ${BATCH_MAX_MESSAGES} messages`));
  }
  return { batch: true, messages: sent.map((one) => withoutInitialize(readMessage(one))) };
};

/** Replaces all messages by one error. It has the request's id, unless the body is a batch. */
export const refusedBody = ({ batch, messages }: RpcBody, what: string): RpcBody => {
  const [first] = messages;
  return single(invalid(!batch && first && 'id' in first ? first.id : null, what));
};

interface Addressed extends Pick<RpcBody, 'batch'> {
  readonly messages: readonly { readonly kind: string; readonly id?: RpcId | null | undefined }[];
}

/** The ids to repeat when the whole body is refused; a list for a batch. */
export const addressees = ({ batch, messages }: Addressed): RpcIds => {
  const ids = messages.flatMap((message) => ('id' in message ? [message.id ?? null] : []));
  return batch ? ids : (ids[0] ?? null);
};

const single = (message: RpcMessage): RpcBody => ({ batch: false, messages: [message] });

const withoutInitialize = (message: RpcMessage): RpcMessage =>
  message.kind === 'request' && message.method === 'initialize'
    ? invalid(message.id, '"initialize" must not be part of a batch')
    : message;

interface CountedBody {
  readonly messages: readonly { readonly kind: string; readonly method?: string }[];
}

/**
 * How many requests of a quota a body counts as. `ping`, notifications and responses are free. Invalid messages
 * count, so that garbage cannot be sent without end. Source: docs/decisions/limits.md, "Quotas".
 */
export const costOf = ({ messages }: CountedBody): number => messages.filter(counts).length;

const counts = (message: CountedBody['messages'][number]): boolean =>
  message.kind === 'invalid' ||
  (message.kind === 'request' && legacyCost(message.method ?? '') > 0);

/**
 * At a public deployment each message counts, whatever its kind, and an empty body counts once.
 * Source: docs/decisions/limits.md, "Public deployments".
 */
export const publicCostOf = ({ messages }: CountedBody): number => Math.max(1, messages.length);

export type RpcParams = Readonly<Record<string, unknown>>;

/**
 * Null and the empty list (an empty map in PHP) count as absent.
 * @throws RpcRefusal invalid_params unless absent or an object. Source: JSON-RPC 2.0 §4.2;
 *   docs/protocol.md, "Params".
 */
export const readParams = (sent: unknown): RpcParams => {
  const isAbsent =
    sent === undefined || sent === null || (Array.isArray(sent) && sent.length === 0);
  if (isAbsent) return {};
  if (!isObject(sent)) throw invalidParam('', '"params"', 'must be an object');
  return sent;
};

/** @throws RpcRefusal invalid_params that names the member */
export const readString = (params: RpcParams, name: string, path = ''): string => {
  const value = member(params, name);
  if (typeof value === 'string') return value;
  const fault = value === undefined ? 'is required' : 'must be a string';
  throw invalidParam(`${path}/${name}`, `"${name}"`, fault);
};

/**
 * Lists are not paged: a cursor must be a string, and is ignored; null is none. Source: docs/protocol.md, "Cursors".
 */
export const checkCursor = (params: RpcParams): void => {
  if (hasCursor(params)) readString(params, 'cursor');
};

const hasCursor = ({ cursor }: RpcParams): boolean => cursor !== undefined && cursor !== null;

/**
 * @throws RpcRefusal invalid_params for any cursor: lists are not paged, so none is ours. Source:
 *   MCP 2026-07-28, "Pagination"; docs/protocol.md, "Cursors".
 */
export const refuseCursor = (params: RpcParams): void => {
  if (!hasCursor(params)) return;
  readString(params, 'cursor');
  throw invalidParam(
    '/cursor',
    '"cursor"',
    'is none that this server gave: lists come in one piece',
  );
};

/** @param path - a JSON pointer into the params @param subject - what stands there, in words */
export const invalidParam = (path: string, subject: string, message: string): RpcRefusal =>
  new RpcRefusal('invalid_params', `Invalid params: ${subject} ${message}.`, {
    errors: [{ path, message }],
  });

/** Characters of a name from a stranger that an error message repeats. */
export const MESSAGE_MAX_NAME = 100;

/** Source: docs/protocol.md, "Arguments of a call", "Prompts". */
export const unknownName = (kind: 'tool' | 'prompt', name: string): RpcRefusal =>
  new RpcRefusal('invalid_params', `Unknown ${kind}: ${name.slice(0, MESSAGE_MAX_NAME)}`, {
    errors: [{ path: '/name', message: `names no ${kind} of this server` }],
  });

/** Source: RFC 5424 §6.2.1; MCP 2025-03-26, "Logging". */
const LEVELS: ReadonlySet<unknown> = new Set([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);

export const isLogLevel = (level: unknown): boolean => LEVELS.has(level);

/** @throws RpcRefusal invalid_params. Source: docs/protocol.md, "Log levels". */
export const checkLogLevel = ({ level }: RpcParams): void => {
  if (isLogLevel(level)) return;
  throw invalidParam('/level', '"level"', `must be one of ${[...LEVELS].join(', ')}`);
};

/** Position in the sender's distributed trace, both members in the form of their headers. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * Trace context of a message: from its `_meta`, else from the HTTP request. `baggage` is never
 * read, since it may hold personal data that belongs in no log. Source: MCP 2026-07-28, "Base
 * Protocol", "_meta"; docs/decisions/mcp.md, "Traces".
 */
export const traceContextOf = (
  params: RpcParams,
  ofRequest: TraceContext | undefined,
): TraceContext | undefined =>
  (isObject(params['_meta']) ? readTraceContext(params['_meta']) : undefined) ?? ofRequest;

/**
 * A malformed `traceparent` makes the whole context void; a malformed `tracestate` is dropped alone.
 * @param sent - headers by their lower-case names, or members of `_meta`
 * Source: W3C Trace Context, "Processing Model".
 */
export const readTraceContext = (
  sent: Readonly<Record<string, unknown>>,
): TraceContext | undefined => {
  const traceparent = readTraceparent(sent['traceparent']);
  if (traceparent === undefined) return undefined;
  const tracestate = readTracestate(sent['tracestate']);
  return { traceparent, ...(tracestate !== undefined && { tracestate }) };
};

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/;

/** Later versions may append fields; those of version 00 are kept, in the form of version 00. */
const readTraceparent = (text: unknown): string | undefined => {
  const parts = typeof text === 'string' ? TRACEPARENT.exec(text) : null;
  if (!parts) return undefined;
  const [whole, version = '', trace = '', parent = '', flags = ''] = parts;
  if (version === 'ff' || /^0+$/.test(trace) || /^0+$/.test(parent)) return undefined;
  if (version === '00') return whole === text ? text : undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return `00-${trace}-${parent}-${isSampled ? '01' : '00'}`;
};

/** The least that every system must pass on. Source: W3C Trace Context, "tracestate Limits". */
const TRACESTATE_CHARACTERS = 512;
const TRACESTATE_MEMBERS = 32;

/** Source: W3C Trace Context Level 2, "tracestate Header Field Values". */
const MEMBER =
  /^([a-z\d][a-z\d_\-*/@]{0,255})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

const readTracestate = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || text.length > TRACESTATE_CHARACTERS) return undefined;
  const members = text
    .split(',')
    .map((member) => trimmed(member, /[\t ]/))
    .filter((member) => member !== '');
  const keys = members.map((member) => MEMBER.exec(member)?.[1]);
  const isList =
    members.length > 0 &&
    members.length <= TRACESTATE_MEMBERS &&
    !keys.includes(undefined) &&
    new Set(keys).size === keys.length;
  return isList ? members.join(',') : undefined;
};
