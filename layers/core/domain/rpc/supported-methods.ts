import { RpcRefusal } from '../refusal.ts';

/**
 * Those that are announced: `ping` and `logging/setLevel` work but are not among them.
 * Source: docs/decisions.md, "Methods that are not announced".
 */
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

/** Source: docs/protocol.md, "Unknown methods". */
export const methodNotFound = (method: string): RpcRefusal =>
  new RpcRefusal('method_not_found', `Method not found: ${method.slice(0, MESSAGE_MAX_NAME)}`, {
    supported_methods: SUPPORTED_METHODS,
  });
