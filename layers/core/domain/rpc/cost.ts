import type { RpcBody } from './body.ts';
import type { RpcMessage } from './message.ts';

/**
 * How many requests a body counts as, item by item: `ping`, notifications and responses are free;
 * what is no message counts like a request, so that garbage cannot be sent without end.
 *
 * Source: D15, D39.
 */
export const costOf = ({ messages }: RpcBody): number => messages.filter(counts).length;

const counts = (message: RpcMessage): boolean =>
  message.kind === 'invalid' || (message.kind === 'request' && message.method !== 'ping');
