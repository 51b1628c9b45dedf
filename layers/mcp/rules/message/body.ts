import type { RpcIds } from '../../../platform/rules/refusal/router-refusal.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { readJson } from './json-text.ts';
import { invalid, readMessage, type RpcMessage } from './message.ts';

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

/** The ids to repeat where all of the body is refused alike; a list for a batch. */
export const addressees = ({ batch, messages }: RpcBody): RpcIds => {
  const ids = messages.flatMap((message) => ('id' in message ? [message.id] : []));
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
