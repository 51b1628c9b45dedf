import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';

/**
 * Those that are announced: `ping` and `logging/setLevel` work but are not among them.
 * Source: docs/decisions/mcp.md, "Methods that are not announced".
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

/** In versions without a handshake. */
const MODERN_NAMES = ['server/discover', ...SUPPORTED_METHODS.slice(1)] as const;

const MESSAGE_MAX_NAME = 100;

/** Source: docs/protocol.md, "Unknown methods". */
export const methodNotFound = (method: string): RpcRefusal => notFound(method, SUPPORTED_METHODS);

/** The same in versions without a handshake. @param others - that this deployment has besides */
export const modernMethodNotFound = (method: string, others: readonly string[] = []): RpcRefusal =>
  notFound(method, [...MODERN_NAMES, ...others]);

const notFound = (method: string, names: readonly string[]): RpcRefusal =>
  new RpcRefusal('method_not_found', `Method not found: ${method.slice(0, MESSAGE_MAX_NAME)}`, {
    supported_methods: names,
  });
