import { RpcRefusal } from '../refusal.ts';

/** The eight names that the text lists; `ping` and `logging/setLevel` work but are not among them (D7). */
const SUPPORTED_METHODS = [
  'initialize',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
] as const;

const MESSAGE_MAX_NAME = 100;

/** Source: spec, "JSON-RPC errors": the message names the method. */
export const methodNotFound = (method: string): RpcRefusal =>
  new RpcRefusal('method_not_found', `Method not found: ${method.slice(0, MESSAGE_MAX_NAME)}`, {
    supported_methods: SUPPORTED_METHODS,
  });
