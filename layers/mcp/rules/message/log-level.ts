import { invalidParam, type RpcParams } from './params.ts';

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
