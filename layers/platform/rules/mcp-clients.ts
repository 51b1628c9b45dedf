/** What is known of one MCP client, each with where it is known from. */
export interface McpClient {
  /** Short, as the API and `hosted-mcp config --client` take it: `claude-code`. */
  readonly client: string;
  /** As people call it: `Claude Code`. */
  readonly name: string;
  /** Absent where nobody is helped with it: its makers or a service bring it to servers. */
  readonly isConfigured?: true;
  /** As it was recorded against this service, or as others report; absent where nobody has. */
  readonly speaks?: SpokenVersions;
  /** Whether it gets a new access token when its own ends, without asking anybody. */
  readonly refreshes?: Sourced & { readonly how: 'yes' | 'unreliably' };
  /** How long the names of server and tool together may be. */
  readonly names?: Sourced & NamesLimit;
  /** How many tools it takes at once, of all servers together. */
  readonly lists?: Sourced & { readonly most: number };
  /** Where people come back to, of what others run for many people, and so from few addresses. */
  readonly hosted?: Sourced & {
    /** What ends with `*` begins so, and goes on with an id of the client's own. */
    readonly redirectUris: readonly string[];
  };
  /** What it adds to the arguments of every call, of itself and not of the model. */
  readonly adds?: Sourced & AddedMembers;
  /** Which schemas it refuses, as `layers/openapi/model-apis/client-limits.ts` knows them. */
  readonly schemas?: Sourced & { readonly refused: string };
  /** Which of two forms of a result its model is shown. */
  readonly results?: Sourced & { readonly shown: 'structuredContent' };
}

interface Sourced {
  /** A document or a report of others, or a test here. */
  readonly source: string;
  /** The month in which that was so. */
  readonly asOf: string;
}

export interface NamesLimit {
  readonly most: number;
  /** What the name of a tool becomes. */
  readonly joined: (server: string, tool: string) => string;
  /** What becomes of a tool that is beyond it. */
  readonly outcome: 'hides' | 'refuses';
}

export interface AddedMembers {
  readonly members: readonly string[];
  /** The one that nobody else sends: by it a call of that client is told where any name might be meant. */
  readonly mark: string;
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
const READ = 'November 2026';
const OFFICIAL = {
  how: 'yes',
  source: 'test/conformance/sdk-clients-oauth.test.ts',
  asOf: READ,
} as const;

/**
 * MCP clients: what each speaks, refreshes, refuses and adds, those that people are helped with first, and of these the
 * most used ones. The docs page, the API, the console, the command line and `doctor` have it from here, and so have the
 * limit of registrations and the reader of arguments. It imports nothing, so that browsers and the command line load it.
 *
 * Source: docs/protocol.md, "What each client speaks", "What is known of clients".
 */
export const MCP_CLIENTS = [
  {
    client: 'claude-code',
    name: 'Claude Code',
    isConfigured: true,
    speaks: { modern: MODERN, asks: '2025-11-25' },
    refreshes: {
      how: 'unreliably',
      source: 'https://github.com/anthropics/claude-code/issues/65036',
      asOf: READ,
    },
    names: {
      most: 64,
      joined: (server, tool) => `mcp__${server}__${tool}`,
      outcome: 'refuses',
      source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools',
      asOf: READ,
    },
    results: {
      shown: 'structuredContent',
      source: 'https://github.com/anthropics/claude-code/issues/79944',
      asOf: 'September 2026',
    },
  },
  {
    client: 'claude-desktop',
    name: 'Claude (web and desktop)',
    isConfigured: true,
    speaks: { asks: '2025-11-25', by: 'mcp-remote (Claude Desktop)' },
    refreshes: {
      how: 'unreliably',
      source: 'https://github.com/anthropics/claude-ai-mcp/issues/228',
      asOf: READ,
    },
    hosted: {
      redirectUris: [
        'https://claude.ai/api/mcp/auth_callback',
        'https://claude.com/api/mcp/auth_callback',
      ],
      source:
        'https://docs.zuora.com/zuora-ai/zuora-mcp-server/zuora-mcp-server/configure-zuora-remote-mcp-server/redirect-uris-by-mcp-client',
      asOf: READ,
    },
  },
  {
    client: 'cursor',
    name: 'Cursor',
    isConfigured: true,
    speaks: { asks: '2025-06-18' },
    names: {
      most: 60,
      joined: (server, tool) => `${server}_${tool}`,
      outcome: 'hides',
      // Its warning "Combined server and tool name length exceeds 60 characters", as it is reported.
      source: 'https://github.com/awslabs/mcp/issues/1283',
      asOf: READ,
    },
    hosted: {
      redirectUris: ['https://www.cursor.com/agents/mcp/oauth/callback'],
      source: 'https://cursor.com/docs/mcp',
      asOf: READ,
    },
  },
  {
    client: 'vscode',
    name: 'VS Code',
    isConfigured: true,
    speaks: { asks: '2025-11-25' },
    lists: {
      most: 128,
      source: 'https://github.com/postmanlabs/postman-mcp-server/pull/26',
      asOf: READ,
    },
  },
  {
    client: 'chatgpt',
    name: 'ChatGPT',
    isConfigured: true,
    hosted: {
      redirectUris: [
        'https://chatgpt.com/connector_platform_oauth_redirect',
        'https://chatgpt.com/connector/oauth/*',
      ],
      source: 'https://developers.openai.com/apps-sdk/build/auth',
      asOf: READ,
    },
  },
  { client: 'codex', name: 'Codex', isConfigured: true, speaks: { asks: '2025-06-18' } },
  {
    client: 'gemini-cli',
    name: 'Gemini CLI',
    isConfigured: true,
    speaks: { asks: '2025-06-18', forgets: true },
  },
  {
    client: 'copilot-cli',
    name: 'GitHub Copilot CLI',
    isConfigured: true,
    speaks: { modern: MODERN, asks: '2025-11-25' },
  },
  { client: 'windsurf', name: 'Windsurf', isConfigured: true },
  {
    client: 'inspector',
    name: 'MCP Inspector',
    isConfigured: true,
    speaks: { asks: '2025-11-25' },
    refreshes: OFFICIAL,
  },
  { client: 'curl', name: 'curl', isConfigured: true },
  { client: 'sdk', name: 'official clients 1.x and 2.x', refreshes: OFFICIAL },
  { client: 'mcp-remote', name: 'mcp-remote', refreshes: OFFICIAL },
  { client: 'mcporter', name: 'mcporter', refreshes: OFFICIAL },
  {
    client: 'copilot-studio',
    name: 'Copilot Studio',
    schemas: {
      refused: '`$ref`, several types of a value, `exclusiveMinimum`',
      source: 'https://learn.microsoft.com/en-us/microsoft-copilot-studio/mcp-troubleshooting',
      asOf: READ,
    },
  },
  {
    client: 'n8n',
    name: 'n8n',
    hosted: {
      redirectUris: ['https://oauth.n8n.cloud/oauth2/callback'],
      source:
        'https://docs.zuora.com/zuora-ai/zuora-mcp-server/zuora-mcp-server/configure-zuora-remote-mcp-server/redirect-uris-by-mcp-client',
      asOf: READ,
    },
    adds: {
      members: ['toolCallId', 'sessionId', 'action', 'chatInput'],
      mark: 'toolCallId',
      source: 'https://github.com/n8n-io/n8n/issues/21500',
      asOf: READ,
    },
  },
  {
    client: 'moltis',
    name: 'Moltis',
    adds: {
      members: ['_accept_language', '_conn_id', '_session_key'],
      mark: '_conn_id',
      source: 'https://github.com/moltis-org/moltis/issues/182',
      asOf: READ,
    },
  },
] as const satisfies readonly McpClient[];

type ConfiguredClient = Extract<(typeof MCP_CLIENTS)[number], { readonly isConfigured: true }>;
export type ClientId = ConfiguredClient['client'];

/** Those that people are helped with. */
export const configuredClients = (): readonly ConfiguredClient[] =>
  MCP_CLIENTS.filter((one): one is ConfiguredClient => 'isConfigured' in one);

const ALL: readonly McpClient[] = MCP_CLIENTS;

/** The rows that say something, which is there then. */
export const clientsWith = <Key extends keyof McpClient>(
  key: Key,
): readonly (McpClient & Required<Pick<McpClient, Key>>)[] =>
  ALL.filter((one): one is McpClient & Required<Pick<McpClient, Key>> => one[key] !== undefined);
