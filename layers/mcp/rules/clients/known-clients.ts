export interface KnownClient {
  /** Short, as the API and `hosted-mcp config --client` take it: `claude-code`. */
  readonly client: string;
  /** As people call it: `Claude Code`. */
  readonly name: string;
  /** As it was recorded against this service, or as others report; absent where nobody has. */
  readonly speaks?: SpokenVersions;
}

export interface SpokenVersions {
  /** Without a handshake, which it looks for first; undefined: it does not. */
  readonly modern?: string;
  /** What it asks for in a handshake. */
  readonly asks: string;
  /** It does not say afterwards what was agreed, so that it is answered in the oldest. */
  readonly forgets?: boolean;
  /** The program that speaks for it, where it does not itself. */
  readonly by?: string;
}

/**
 * The environment variable that holds a token for MCP. It is not `HOSTED_MCP_TOKEN`, which the command line shows to the
 * management API.
 */
export const TOKEN_VARIABLE = 'MCP_TOKEN';

const MODERN = '2026-07-28';

/**
 * The clients that people are helped with, the most used ones first. The docs page, the API, the console and the
 * command line have them from here; it imports nothing, since the command line is no part of the service.
 *
 * Source: docs/protocol.md, "What each client speaks".
 */
export const KNOWN_CLIENTS = [
  {
    client: 'claude-code',
    name: 'Claude Code',
    speaks: { modern: MODERN, asks: '2025-11-25' },
  },
  {
    client: 'claude-desktop',
    name: 'Claude (web and desktop)',
    speaks: { asks: '2025-11-25', by: 'mcp-remote (Claude Desktop)' },
  },
  { client: 'cursor', name: 'Cursor', speaks: { asks: '2025-06-18' } },
  { client: 'vscode', name: 'VS Code', speaks: { asks: '2025-11-25' } },
  { client: 'chatgpt', name: 'ChatGPT' },
  { client: 'codex', name: 'Codex', speaks: { asks: '2025-06-18' } },
  { client: 'gemini-cli', name: 'Gemini CLI', speaks: { asks: '2025-06-18', forgets: true } },
  {
    client: 'copilot-cli',
    name: 'GitHub Copilot CLI',
    speaks: { modern: MODERN, asks: '2025-11-25' },
  },
  { client: 'windsurf', name: 'Windsurf' },
  { client: 'inspector', name: 'MCP Inspector', speaks: { asks: '2025-11-25' } },
  { client: 'curl', name: 'curl' },
] as const satisfies readonly KnownClient[];

export type ClientId = (typeof KNOWN_CLIENTS)[number]['client'];
