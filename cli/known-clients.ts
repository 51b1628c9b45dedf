/** The versions of MCP that a client speaks, as it was recorded against this service, or as others report. */
export interface KnownClient {
  readonly name: string;
  /** As `hosted-mcp config --client` takes it, where it has a configuration of its own. */
  readonly client?: string;
  /** Without a handshake, which it looks for first; undefined: it does not. */
  readonly modern?: string;
  /** What it asks for in a handshake. */
  readonly asks: string;
  /** It does not say afterwards what was agreed, so that it is answered in the oldest. */
  readonly forgets?: boolean;
}

const MODERN = '2026-07-28';
/** What is spoken where nothing else is. */
const OLDEST = '2025-03-26';

/** Source: docs/protocol.md, "What each client speaks". */
export const KNOWN_CLIENTS: readonly KnownClient[] = [
  { name: 'Claude Code', client: 'claude-code', modern: MODERN, asks: '2025-11-25' },
  { name: 'Copilot CLI', client: 'copilot-cli', modern: MODERN, asks: '2025-11-25' },
  { name: 'VS Code', client: 'vscode', asks: '2025-11-25' },
  { name: 'mcp-remote (Claude Desktop)', asks: '2025-11-25' },
  { name: 'Inspector', client: 'inspector', asks: '2025-11-25' },
  { name: 'Cursor', client: 'cursor', asks: '2025-06-18' },
  { name: 'Codex', client: 'codex', asks: '2025-06-18' },
  { name: 'Gemini CLI', client: 'gemini-cli', asks: '2025-06-18', forgets: true },
];

/** The version that a client and a service end up with. @param served - that the service names */
const spokenBy = (
  { modern, asks, forgets = false }: KnownClient,
  served: readonly string[],
): string => {
  if (modern !== undefined && served.includes(modern)) return modern;
  return !forgets && served.includes(asks) ? asks : OLDEST;
};

/** All of them, by version: `2026-07-28: Claude Code, Copilot CLI; ...`. */
export const clientsByVersion = (served: readonly string[]): string => {
  const byVersion = Map.groupBy(KNOWN_CLIENTS, (client) => spokenBy(client, served));
  return [...byVersion]
    .toSorted(([one], [other]) => other.localeCompare(one))
    .map(([version, clients]) => `${version}: ${clients.map(({ name }) => name).join(', ')}`)
    .join('; ');
};

/** Which version of MCP a client speaks, as sentences; none of what has not been recorded. */
export const versionNotes = (client: string): readonly string[] => {
  const known = KNOWN_CLIENTS.find((one) => one.client === client);
  if (!known) return [];
  const { name, modern, asks, forgets = false } = known;
  if (forgets) {
    return [
      `${name} asks for MCP ${asks}, never repeats it, and is answered in the oldest version.`,
    ];
  }
  const spoken = modern === undefined ? asks : `${modern}, or ${asks} where that is not served`;
  return [`${name} speaks MCP ${spoken}.`];
};
