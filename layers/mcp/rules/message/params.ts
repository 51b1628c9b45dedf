import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { isObject } from '../../../platform/rules/json/json.ts';

export type RpcParams = Readonly<Record<string, unknown>>;

/**
 * @throws RpcRefusal invalid_params unless they are absent or an object. Source: JSON-RPC 2.0 §4.2;
 * docs/protocol.md, "Params".
 */
export const readParams = (sent: unknown): RpcParams => {
  if (sent === undefined) return {};
  if (!isObject(sent)) throw invalidParam('', '"params"', 'must be an object');
  return sent;
};

/** @throws RpcRefusal invalid_params that names the member */
export const readString = (params: RpcParams, name: string): string => {
  const value = params[name];
  if (typeof value === 'string') return value;
  const fault = value === undefined ? 'is required' : 'must be a string';
  throw invalidParam(`/${name}`, `"${name}"`, fault);
};

/**
 * Lists come in one piece: a cursor is checked and ignored. Source: docs/protocol.md, "Cursors".
 */
export const checkCursor = (params: RpcParams): void => {
  if (params['cursor'] !== undefined) readString(params, 'cursor');
};

/**
 * Whoever sends a cursor has it from elsewhere: we never gave one.
 *
 * @throws RpcRefusal invalid_params
 *
 * Source: MCP 2026-07-28, "Pagination"; docs/protocol.md, "Cursors".
 */
export const refuseCursor = (params: RpcParams): void => {
  if (params['cursor'] === undefined) return;
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

const MESSAGE_MAX_NAME = 100;

/**
 * What `params.name` asks for is not there.
 * Source: docs/protocol.md, "Arguments of a call", "Prompts".
 */
export const unknownName = (kind: 'tool' | 'prompt', name: string): RpcRefusal =>
  new RpcRefusal('invalid_params', `Unknown ${kind}: ${name.slice(0, MESSAGE_MAX_NAME)}`, {
    errors: [{ path: '/name', message: `names no ${kind} of this server` }],
  });
