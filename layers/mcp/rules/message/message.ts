import { isObject } from '../../../platform/rules/json/json.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import type { RpcId } from '../../../platform/rules/json-rpc/answer.ts';

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
