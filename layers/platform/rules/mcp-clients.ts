export interface McpClient {
  /** Id, as in the API and `hosted-mcp config --client`: `claude-code`. */
  readonly client: string;
  readonly name: string;
  /** Instructions exist for it; absent: its makers or a service connect it to servers. */
  readonly isConfigured?: true;
  /** Recorded with this service, or as others report; absent: unknown. */
  readonly speaks?: SpokenVersions;
  /** Whether it refreshes an expired access token without the user. */
  readonly refreshes?: Sourced & { readonly how: 'yes' | 'unreliably' };
  /** Maximum length of server and tool name together. */
  readonly names?: Sourced & NamesLimit;
  /** Maximum number of tools, of all servers together. */
  readonly lists?: Sourced & { readonly most: number };
  /** Redirect URIs of a hosted client, whose many users come from few IP addresses. */
  readonly hosted?: Sourced & {
    /** A trailing `*` stands for an id of the client. */
    readonly redirectUris: readonly string[];
  };
  /** Arguments that it adds to every call; they do not come from the model. */
  readonly adds?: Sourced & AddedMembers;
  /** Schemas that it refuses, as `layers/openapi/model-apis/client-limits.ts` checks them. */
  readonly schemas?: Sourced & { readonly refused: string };
  /** Which of two forms of a result its model gets. */
  readonly results?: Sourced & { readonly shown: 'structuredContent' };
}

interface Sourced {
  /** URL of a document or report, or a test in this repository. */
  readonly source: string;
  /** Month in which it was verified. */
  readonly asOf: string;
}

export interface NamesLimit {
  readonly most: number;
  /** Name under which the model sees a tool. */
  readonly joined: (server: string, tool: string) => string;
  /** What happens to a tool with a longer name. */
  readonly outcome: 'hides' | 'refuses';
}

export interface AddedMembers {
  readonly members: readonly string[];
  /** Argument that only this client sends, which identifies its calls where other argument names are free. */
  readonly mark: string;
}

export interface SpokenVersions {
  /** Version without a handshake, which it tries first; undefined: none. */
  readonly modern?: string;
  /** Version that it requests in a handshake. */
  readonly asks: string;
  /** The client does not send the negotiated version later, so it is answered in the oldest one. */
  readonly forgets?: boolean;
  /** Program that connects for it. */
  readonly by?: string;
}

/** Environment variable for MCP; `HOSTED_MCP_TOKEN` is the command line's token for the management API. */
export const TOKEN_VARIABLE = 'MCP_TOKEN';

const MODERN = '2026-07-28';
const READ = 'November 2026';
const OFFICIAL = {
  how: 'yes',
  source: 'test/conformance/sdk-clients-oauth.test.ts',
  asOf: READ,
} as const;

/**
 * MCP clients and how they behave; those with instructions first, the most used ones at the top. Used by the docs page,
 * the API, the console, the command line, `doctor`, the limit of registrations and the parser of arguments. Imports
 * nothing, so that browsers and the command line can load it.
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

export const configuredClients = (): readonly ConfiguredClient[] =>
  MCP_CLIENTS.filter((one): one is ConfiguredClient => 'isConfigured' in one);

const ALL: readonly McpClient[] = MCP_CLIENTS;

export const clientsWith = <Key extends keyof McpClient>(
  key: Key,
): readonly (McpClient & Required<Pick<McpClient, Key>>)[] =>
  ALL.filter((one): one is McpClient & Required<Pick<McpClient, Key>> => one[key] !== undefined);
