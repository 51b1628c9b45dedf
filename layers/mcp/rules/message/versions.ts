import {
  DEFAULT_VERSION,
  type ProtocolVersion,
} from '../../../platform/rules/protocol-versions.ts';
import { refusedBody, type RpcBody } from './body.ts';

/** Some clients name their own version instead of the negotiated one. */
const PUBLISHED_VERSIONS: ReadonlySet<string> = new Set([
  '2024-11-05',
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
