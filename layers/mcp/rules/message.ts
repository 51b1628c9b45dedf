import type { RpcId } from '../../platform/rules/json-rpc.ts';
import { isObject, nestsDeeperThan } from '../../platform/rules/json/json.ts';
import type { RpcIds } from '../../platform/rules/refusal/router-refusal.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';

/**
 * What one JSON-RPC message turned out to be.
 * Source: JSON-RPC 2.0 §4, §5; docs/protocol.md, "Messages that are none".
 */
export type RpcMessage =
  | {
      readonly kind: 'request';
      readonly id: RpcId;
      readonly method: string;
      /** As it was sent: whether it is an object is for the method to say. */
      readonly params: unknown;
    }
  | { readonly kind: 'notification' }
  | { readonly kind: 'response' }
  | {
      readonly kind: 'invalid';
      /** The id that was sent, if it can be read. */
      readonly id: RpcId | null;
      readonly refusal: RpcRefusal;
    };

/** Reads one message. Never throws: what is no message is of kind `invalid`. */
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

/** A message that stands for what cannot be carried out. */
export const invalid = (id: RpcId | null, what: string): RpcMessage => ({
  kind: 'invalid',
  id,
  refusal: invalidRequest(what),
});

/** @param what - completes the sentence "Invalid Request:" */
export const invalidRequest = (what: string): RpcRefusal =>
  new RpcRefusal('invalid_request', `Invalid Request: ${what}.`);

/** Whole numbers beyond 2^53 were rounded when they were read: to echo them would be to lie. */
const isId = (value: unknown): value is RpcId =>
  typeof value === 'string' || Number.isSafeInteger(value);

/** An error response may carry a null id: its sender could not read ours. */
const isResponse = (sent: Readonly<Record<string, unknown>>): boolean => {
  if (sent['method'] !== undefined) return false;
  if (Object.hasOwn(sent, 'error')) return isId(sent['id']) || sent['id'] === null;
  return Object.hasOwn(sent, 'result') && isId(sent['id']);
};

/** The messages of one HTTP request, in order. */
export interface RpcBody {
  /** Whether they came as an array, and the answers go as one. */
  readonly batch: boolean;
  readonly messages: readonly RpcMessage[];
}

const BATCH_MAX_MESSAGES = 100;

/**
 * Reads a body. Never throws: a body that is no JSON-RPC is one `invalid` message.
 *
 * @param text - undefined if the body's bytes are not valid UTF-8
 *
 * Source: JSON-RPC 2.0 §6; docs/decisions/mcp.md, "Batches"; docs/protocol.md, "Messages that are
 * none".
 */
export const readMessages = (text: string | undefined): RpcBody => {
  const sent = parsed(text);
  if (sent instanceof RpcRefusal) return single({ kind: 'invalid', id: null, refusal: sent });
  if (!Array.isArray(sent)) return single(readMessage(sent));
  if (sent.length === 0) return single(invalid(null, 'a batch must hold at least one message'));
  if (sent.length > BATCH_MAX_MESSAGES) {
    return single(invalid(null, `a batch may hold at most ${BATCH_MAX_MESSAGES} messages`));
  }
  return { batch: true, messages: sent.map((one) => withoutInitialize(readMessage(one))) };
};

/** The body as a whole gets one error; the id is repeated where it is one request's. */
export const refusedBody = ({ batch, messages }: RpcBody, what: string): RpcBody => {
  const [first] = messages;
  return single(invalid(!batch && first && 'id' in first ? first.id : null, what));
};

interface Addressed extends Pick<RpcBody, 'batch'> {
  readonly messages: readonly { readonly kind: string; readonly id?: RpcId | null | undefined }[];
}

/** The ids to repeat where all of the body is refused alike; a list for a batch. */
export const addressees = ({ batch, messages }: Addressed): RpcIds => {
  const ids = messages.flatMap((message) => ('id' in message ? [message.id ?? null] : []));
  return batch ? ids : (ids[0] ?? null);
};

const parsed = (text: string | undefined): unknown => {
  try {
    return readJson(text);
  } catch (refusal) {
    return refusal;
  }
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
 * How many requests a body counts as, item by item: `ping`, notifications and responses are free;
 * what is no message counts like a request, so that garbage cannot be sent without end.
 *
 * Source: docs/decisions/limits.md, "Quotas".
 */
export const costOf = ({ messages }: CountedBody): number => messages.filter(counts).length;

const counts = (message: CountedBody['messages'][number]): boolean =>
  message.kind === 'invalid' || (message.kind === 'request' && message.method !== 'ping');

/**
 * The same at a public deployment, where everything counts: each message, whatever it is, and a body
 * without any.
 *
 * Source: docs/decisions/limits.md, "Public deployments".
 */
export const publicCostOf = ({ messages }: CountedBody): number => Math.max(1, messages.length);

const MAX_NESTING = 200;

/**
 * The value that a body is.
 *
 * @param text - undefined if the body's bytes are not valid UTF-8
 * @throws RpcRefusal parse_error; invalid_request if it nests too deeply
 *
 * Source: docs/protocol.md, "Error codes", "Bytes and sizes".
 */
export const readJson = (text: string | undefined): unknown => {
  if (text === undefined || !text.isWellFormed()) {
    throw new RpcRefusal('parse_error', 'Parse error: the body is not valid UTF-8.');
  }
  if (nestsDeeperThan(text, MAX_NESTING)) {
    const description = `Invalid Request: the body nests deeper than ${MAX_NESTING} levels.`;
    throw new RpcRefusal('invalid_request', description);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcRefusal('parse_error', 'Parse error: the body is not valid JSON.');
  }
};

/**
 * Whether a body speaks JSON-RPC, as far as the base URL and the legacy endpoint care: any other
 * body gets the discovery document, or is a legacy call. A batch does if one of its members does.
 *
 * @param text - undefined if the body's bytes are not valid UTF-8
 *
 * Source: docs/protocol.md, "Discovery document"; docs/decisions/mcp.md, "The legacy endpoint".
 */
export const speaksRpc = (text: string | undefined): boolean => {
  const sent = jsonIn(text);
  return Array.isArray(sent) ? sent.some(isCall) : isCall(sent);
};

const isCall = (sent: unknown): boolean =>
  typeof sent === 'object' &&
  sent !== null &&
  'jsonrpc' in sent &&
  sent.jsonrpc === '2.0' &&
  Object.hasOwn(sent, 'method');

const jsonIn = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};
