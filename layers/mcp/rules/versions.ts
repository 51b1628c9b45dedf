import type { Era } from './methods.ts';
import { refusedBody, type RpcBody } from './message.ts';
import { clientName, type ModernMessage } from './modern-message.ts';
import { isObject } from '../../platform/rules/json/json.ts';
import {
  DEFAULT_VERSION,
  FIRST_VERSION,
  isModern,
  negotiated,
  type ProtocolVersion,
} from '../../platform/rules/protocol-versions.ts';

/** Some clients name their own version instead of the negotiated one. */
const PUBLISHED_VERSIONS: ReadonlySet<string> = new Set([
  FIRST_VERSION,
  DEFAULT_VERSION,
  '2025-06-18',
  '2025-11-25',
]);

/** From here on there are no batches. Source: MCP 2025-06-18, "Key Changes". */
const WITHOUT_BATCHES: ProtocolVersion = '2025-06-18';

/**
 * The body, or its refusal if it is a batch in a version without any: nothing of it is carried out.
 *
 * @param version - that is spoken
 */
export const withoutBatch = (body: RpcBody, version: ProtocolVersion): RpcBody =>
  body.batch && version >= WITHOUT_BATCHES
    ? refusedBody(body, `there are no batches in ${version}`)
    : body;

/**
 * The body, or its refusal if the `MCP-Protocol-Version` header names no published version.
 * `initialize` passes: what it negotiates is not known to the client yet.
 *
 * Source: docs/decisions/mcp.md, "Protocol versions".
 */
export const inKnownVersion = (body: RpcBody, header: string | undefined): RpcBody => {
  if (header === undefined || PUBLISHED_VERSIONS.has(header.trim()) || isInitialize(body)) {
    return body;
  }
  return refusedBody(
    body,
    `the MCP-Protocol-Version header must be one of ${[...PUBLISHED_VERSIONS].join(', ')}`,
  );
};

const isInitialize = ({ batch, messages: [first] }: RpcBody): boolean =>
  !batch && first?.kind === 'request' && first.method === 'initialize';

/** What a request spoke, for the log and for counting alone: nothing is decided by it. */
export interface SpokenProtocol {
  readonly era: Era;
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
