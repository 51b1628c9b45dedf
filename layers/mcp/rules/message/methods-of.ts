import type { RpcBody } from './body.ts';

/** The methods that a body asks for. */
export const methodsOf = ({ messages }: RpcBody): readonly string[] =>
  messages.flatMap((message) => (message.kind === 'request' ? message.method : []));
