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

/** Accepted in the version header, served or not: some clients send their own version instead of the negotiated one. */
const PUBLISHED_VERSIONS: ReadonlySet<string> = new Set([
  FIRST_VERSION,
  DEFAULT_VERSION,
  '2025-06-18',
  '2025-11-25',
]);

/** The first version without batches. Source: MCP 2025-06-18, "Key Changes". */
const WITHOUT_BATCHES: ProtocolVersion = '2025-06-18';

/** Replaces a batch by one refusal in versions without batches, so that none of it is carried out. */
export const withoutBatch = (body: RpcBody, version: ProtocolVersion): RpcBody =>
  body.batch && version >= WITHOUT_BATCHES
    ? refusedBody(body, `there are no batches in ${version}`)
    : body;

/**
 * Replaces the body by a refusal if the `MCP-Protocol-Version` header names no published version. `initialize`
 * passes: its client does not know the negotiated version yet. Source: docs/decisions/mcp.md, "Protocol versions".
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

/** Protocol of a request, only for the log and metrics: nothing is decided by it. */
export interface SpokenProtocol {
  readonly era: Era;
  /** Absent where the request named no served version. */
  readonly version?: ProtocolVersion;
  /** Name that the client gives itself: at most 64 printable ASCII characters. */
  readonly client?: string;
}

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
 * Of messages in versions with the handshake. Only `initialize` names the client; no state is kept, so other requests
 * have no name.
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
