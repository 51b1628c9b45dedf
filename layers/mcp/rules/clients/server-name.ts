import { toolModeOf } from '../../../deployments/rules/publication.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { longName, MAX_TOOL_NAME, shortName } from '../../../openapi/operation/short-names.ts';
import { clientsWith } from '../../../platform/rules/mcp-clients.ts';
import { CALL, DESCRIBE, SEARCH } from '../../../search/tool-names.ts';

/** Names of the tools that clients list: in search mode only the three search tools. */
export const listedNames = (
  { publication }: Pick<Deployment, 'publication'>,
  tools: readonly { readonly name: string }[],
): readonly string[] =>
  toolModeOf(publication) === 'search' ? [SEARCH, DESCRIBE, CALL] : tools.map(({ name }) => name);

/**
 * The name under which clients add a server: its slug, with its middle cut out where "server name + longest tool name"
 * would exceed a client's limit. Longer tool names than our own maximum, which only owners can set, are ignored here.
 */
export const serverName = (slug: string, toolNames: readonly string[]): string => {
  const longest = toolNames.reduce(
    (found, name) => (name.length > found.length ? name : found),
    '',
  );
  const room = clientsWith('names').map(
    ({ names: { most, joined } }) => most - joined('', longest.slice(0, MAX_TOOL_NAME)).length,
  );
  return shortName(longName(slug), Math.min(...room));
};
