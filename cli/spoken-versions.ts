import {
  configuredClients,
  type McpClient,
  type SpokenVersions,
} from '../layers/platform/rules/mcp-clients.ts';

/** Version that is spoken if no other is shared. */
const OLDEST = '2025-03-26';

const CLIENTS: readonly McpClient[] = configuredClients();

const spokenBy = (
  { modern, asks, forgets = false }: SpokenVersions,
  served: readonly string[],
): string => {
  if (modern !== undefined && served.includes(modern)) return modern;
  return !forgets && served.includes(asks) ? asks : OLDEST;
};

/** Clients by version: `2026-07-28: Claude Code, GitHub Copilot CLI; ...`. */
export const clientsByVersion = (served: readonly string[]): string => {
  // Programs that speak for a client come last.
  const inOrder = CLIENTS.toSorted((one, other) => byOther(one) - byOther(other));
  const named = inOrder.flatMap(({ name, speaks }) =>
    speaks ? [{ name: speaks.by ?? name, version: spokenBy(speaks, served) }] : [],
  );
  return [...Map.groupBy(named, ({ version }) => version)]
    .toSorted(([one], [other]) => other.localeCompare(one))
    .map(([version, clients]) => `${version}: ${clients.map(({ name }) => name).join(', ')}`)
    .join('; ');
};

const byOther = ({ speaks }: McpClient): number => (speaks?.by === undefined ? 0 : 1);

/** Sentences on the MCP versions of a client; none without a recording of the client itself. */
export const versionNotes = (client: string): readonly string[] => {
  const known = CLIENTS.find((one) => one.client === client);
  if (!known?.speaks || known.speaks.by !== undefined) return [];
  const { modern, asks, forgets = false } = known.speaks;
  if (forgets) {
    return [
      `${known.name} asks for MCP ${asks}, never repeats it, and is answered in the oldest version.`,
    ];
  }
  const spoken = modern === undefined ? asks : `${modern}, or ${asks} where that is not served`;
  return [`${known.name} speaks MCP ${spoken}.`];
};
