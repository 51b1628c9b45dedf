/** The versions of MCP that can be served, the newest first. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** Of whoever names none. Source: docs/decisions/mcp.md, "Protocol versions". */
export const DEFAULT_VERSION: ProtocolVersion = '2025-03-26';

/**
 * The version of MCP that documents name, and that answers are in unless a client asks for another.
 * Source: docs/decisions/mcp.md, "Protocol versions".
 */
export const PROTOCOL_VERSION = '2025-03-26';

/** Before the versions that are served. Some clients name it instead of the one that was negotiated. */
export const FIRST_VERSION = '2024-11-05';

/** Whether a text names a version of MCP that there has been. */
export const isPublished = (version: string): boolean =>
  version === FIRST_VERSION || PROTOCOL_VERSIONS.some((one) => one === version);

/** The first in which each request says all of itself, and there is no handshake. */
const FIRST_MODERN: ProtocolVersion = '2026-07-28';

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Whether a text names a version without a handshake, be it one that is known here. */
export const isModern = (version: string | undefined): boolean =>
  version !== undefined && DATE.test(version) && version >= FIRST_MODERN;

/** The version of a handshake: the one that is asked for, if it is served. */
export const negotiated = (
  asked: string | undefined,
  served: readonly ProtocolVersion[],
): ProtocolVersion =>
  served.find((version) => version === asked && !isModern(version)) ?? DEFAULT_VERSION;

/** Whether tools have output schemas in it. Source: MCP 2025-06-18, "Tools", "Output Schema". */
export const hasStructuredContent = (version: ProtocolVersion): boolean => version >= '2025-06-18';

export const modernAmong = (served: readonly ProtocolVersion[]): readonly ProtocolVersion[] =>
  served.filter(isModern);

/**
 * The operator's choice of versions.
 *
 * @param text - names between commas; all if empty
 * @throws Error that says what is wrong, in words for the operator
 *
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

/** Of the service's settings; absent: all. */
interface Choice {
  readonly protocolVersions?: readonly ProtocolVersion[];
}

/**
 * The versions of MCP that are served, the newest first. Source: docs/decisions/mcp.md, "Protocol
 * versions".
 */
export const servedVersions = ({ protocolVersions }: Choice): readonly ProtocolVersion[] =>
  protocolVersions ?? PROTOCOL_VERSIONS;

/** Those without a handshake. */
export const modernVersions = (settings: Choice): readonly ProtocolVersion[] =>
  modernAmong(servedVersions(settings));
