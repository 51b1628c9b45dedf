import {
  modernAmong,
  PROTOCOL_VERSIONS,
  type ProtocolVersion,
} from '../../platform/rules/protocol-versions.ts';
import type { Settings } from '../../ports.ts';

/**
 * The versions of MCP that are served, the newest first. Source: docs/decisions/mcp.md, "Protocol
 * versions".
 */
export const servedVersions = ({ protocolVersions }: Settings): readonly ProtocolVersion[] =>
  protocolVersions ?? PROTOCOL_VERSIONS;

/** Those without a handshake. */
export const modernVersions = (settings: Settings): readonly ProtocolVersion[] =>
  modernAmong(servedVersions(settings));
