import {
  isModern,
  negotiated,
  type ProtocolVersion,
} from '../../../platform/rules/protocol-versions.ts';
import type { RpcBody } from './body.ts';
import { isObject } from '../../../platform/rules/json/json.ts';
import type { ModernMessage } from './modern-message.ts';
import { clientName } from './request-metadata.ts';

/** What a request spoke, for the log and for counting alone: nothing is decided by it. */
export interface SpokenProtocol {
  /** `legacy`: the versions with a handshake. */
  readonly era: 'legacy' | 'modern';
  /** One that is served; absent where a request named none of those. */
  readonly version?: ProtocolVersion;
  /** As the client calls itself: at most 64 printable characters of ASCII. */
  readonly client?: string;
}

/** Of a message without a handshake, each of which says all of itself. */
export const spokenByModern = (
  message: ModernMessage,
  served: readonly ProtocolVersion[],
): SpokenProtocol => {
  if (message.kind !== 'request') return { era: 'modern' };
  const version = served.find((one) => one === message.version);
  const { client } = message;
  return {
    era: 'modern',
    ...(version && isModern(version) && { version }),
    ...(client !== undefined && { client }),
  };
};

/**
 * Of messages in a version with a handshake. Only the handshake says who the client is, and nothing is
 * remembered of it: on all other requests there is no name.
 *
 * @param version - that the header names
 */
export const spokenByLegacy = (
  { batch, messages: [first] }: RpcBody,
  version: ProtocolVersion,
  served: readonly ProtocolVersion[],
): SpokenProtocol => {
  const isHandshake = !batch && first?.kind === 'request' && first.method === 'initialize';
  if (!isHandshake || !isObject(first.params)) return { era: 'legacy', version };
  const { protocolVersion: asked, clientInfo } = first.params;
  const client = clientName(clientInfo);
  return {
    era: 'legacy',
    version: negotiated(typeof asked === 'string' ? asked : undefined, served),
    ...(client !== undefined && { client }),
  };
};
