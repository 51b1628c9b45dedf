import { toolModeOf } from '../../../deployments/rules/publication.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { longName, MAX_TOOL_NAME, shortName } from '../../../openapi/operation/short-names.ts';
import { clientsWith } from '../../../platform/rules/mcp-clients.ts';
import { CALL, DESCRIBE, SEARCH } from '../../../search/tool-names.ts';

/** Of the tools that clients list. */
export const listedNames = (
  { publication }: Pick<Deployment, 'publication'>,
  tools: readonly { readonly name: string }[],
): readonly string[] =>
  toolModeOf(publication) === 'search' ? [SEARCH, DESCRIBE, CALL] : tools.map(({ name }) => name);

/**
 * What clients are to call a server: its slug, without its middle where clients that put the name of the server before
 * those of its tools would hide or refuse the longest of them. Names that owners have made longer than ours are too long
 * whatever the server is called.
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
