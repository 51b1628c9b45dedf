export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** Assumed for clients that name no version. Source: docs/decisions/mcp.md, "Protocol versions". */
export const DEFAULT_VERSION: ProtocolVersion = '2025-03-26';

/** Version of answers unless another is requested. Source: docs/decisions/mcp.md, "Protocol versions". */
export const PROTOCOL_VERSION = '2025-03-26';

/** Older than all supported versions; some clients send it instead of the negotiated one. */
export const FIRST_VERSION = '2024-11-05';

export const isPublished = (version: string): boolean =>
  version === FIRST_VERSION || PROTOCOL_VERSIONS.some((one) => one === version);

/** First version without a handshake, in which every request is self-contained. */
const FIRST_MODERN: ProtocolVersion = '2026-07-28';

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Whether it is a version without a handshake, including future ones. */
export const isModern = (version: string | undefined): boolean =>
  version !== undefined && DATE.test(version) && version >= FIRST_MODERN;

/** Version negotiated in a handshake: the requested one if it is served. */
export const negotiated = (
  asked: string | undefined,
  served: readonly ProtocolVersion[],
): ProtocolVersion =>
  served.find((version) => version === asked && !isModern(version)) ?? DEFAULT_VERSION;

/** Whether tools of this version have output schemas. Source: MCP 2025-06-18, "Tools", "Output Schema". */
export const hasStructuredContent = (version: ProtocolVersion): boolean => version >= '2025-06-18';

/**
 * Parses the operator's setting of MCP versions.
 * @param text - versions separated by commas; empty: all
 * @throws Error whose message tells the operator what is wrong
 * Source: docs/decisions/mcp.md, "Protocol versions".
 */
export const readProtocolVersions = (text = ''): readonly ProtocolVersion[] => {
  const named = text.split(',').map((name) => name.trim());
  if (text.trim() === '') return PROTOCOL_VERSIONS;
  const unknown = named.find((name) => !PROTOCOL_VERSIONS.some((version) => version === name));
  if (unknown !== undefined) {
    throw new Error(`there is no version ${unknown}; there are ${PROTOCOL_VERSIONS.join(', ')}`);
  }
  if (!named.includes(DEFAULT_VERSION)) {
    throw new Error(`${DEFAULT_VERSION} cannot be left out: it is what clients without one speak`);
  }
  return PROTOCOL_VERSIONS.filter((version) => named.includes(version));
};

/** Setting of the service; absent: all versions. */
interface Choice {
  readonly protocolVersions?: readonly ProtocolVersion[];
}

/** MCP versions that are served, newest first. Source: docs/decisions/mcp.md, "Protocol versions". */
export const servedVersions = ({ protocolVersions }: Choice): readonly ProtocolVersion[] =>
  protocolVersions ?? PROTOCOL_VERSIONS;

export const modernVersions = (settings: Choice): readonly ProtocolVersion[] =>
  servedVersions(settings).filter(isModern);
