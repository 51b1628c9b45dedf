import type { RpcBody } from './body.ts';
import type { RpcMessage } from './message.ts';

/**
 * How many requests a body counts as, item by item: `ping`, notifications and responses are free;
 * what is no message counts like a request, so that garbage cannot be sent without end.
 *
 * Source: docs/decisions/limits.md, "Quotas".
 */
export const costOf = ({ messages }: RpcBody): number => messages.filter(counts).length;

const counts = (message: RpcMessage): boolean =>
  message.kind === 'invalid' || (message.kind === 'request' && message.method !== 'ping');

/**
 * The same at a public deployment, where everything counts: each message, whatever it is, and a body
 * without any.
 *
 * Source: docs/decisions/limits.md, "Public deployments".
 */
export const publicCostOf = ({ messages }: RpcBody): number => Math.max(1, messages.length);
