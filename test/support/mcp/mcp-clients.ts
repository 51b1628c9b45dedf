import {
  Client as ClientTwo,
  StreamableHTTPClientTransport as HttpTwo,
} from '@modelcontextprotocol/client';
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOne } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What the official clients have in common, as far as this service is concerned. */
export interface McpClient {
  ping(): Promise<unknown>;
  setLoggingLevel(level: 'warning'): Promise<unknown>;
  listTools(): Promise<{ readonly tools: readonly ListedTool[] }>;
  callTool(call: ToolCall): Promise<ToolResult>;
  listResources(): Promise<object>;
  listResourceTemplates(): Promise<object>;
  readResource(read: { uri: string }): Promise<object>;
  listPrompts(): Promise<object>;
  getPrompt(get: { name: string; arguments?: Record<string, string> }): Promise<object>;
  complete(what: {
    ref: { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
  }): Promise<object>;
  getInstructions(): string | undefined;
  getServerCapabilities(): object | undefined;
  getServerVersion(): object | undefined;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

interface ToolCall {
  name: string;
  arguments?: Record<string, unknown>;
}

interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly content: readonly {
    readonly type: string;
    readonly text?: string | undefined;
    readonly data?: string | undefined;
    readonly mimeType?: string | undefined;
  }[];
}

const NAME = { name: 'conformance', version: '1.0.0' };

interface ConnectOptions {
  /** Sent with every request. */
  readonly headers?: Record<string, string>;
  readonly fetch?: typeof fetch;
}

/** Connects one of the official clients over Streamable HTTP. */
export type Connect = (url: string, options?: ConnectOptions) => Promise<McpClient>;

const one: Connect = async (url, options) => {
  const client = new ClientOne(NAME);
  await client.connect(new HttpOne(new URL(url), transportOptions(options)));
  return client as McpClient;
};

const two: Connect = async (url, options) => {
  const client = new ClientTwo(NAME);
  await client.connect(new HttpTwo(new URL(url), transportOptions(options)));
  return client;
};

const negotiating =
  (mode: 'auto' | { pin: string }): Connect =>
  async (url, options) => {
    const client = new ClientTwo(NAME, { versionNegotiation: { mode } });
    await client.connect(new HttpTwo(new URL(url), transportOptions(options)));
    return client;
  };

/** The newer client, made to speak one version with a handshake, as clients built on older SDKs do. */
export const speaking =
  (version: string): Connect =>
  async (url, options) => {
    const client = new ClientTwo(NAME, { supportedProtocolVersions: [version] });
    await client.connect(new HttpTwo(new URL(url), transportOptions(options)));
    return client;
  };

const transportOptions = ({ headers = {}, fetch: send = fetch }: ConnectOptions = {}) => ({
  requestInit: { headers },
  fetch: send,
});

/** The versions with a handshake, or those in which each request stands for itself. */
type Era = 'handshake' | 'modern';

type Client = readonly [name: string, connect: Connect, era: Era];

/** The clients as people use them, and what each ends up with. */
export const CLIENTS: readonly [Client, ...Client[]] = [
  ['@modelcontextprotocol/sdk 1.32', one, 'handshake'],
  ['@modelcontextprotocol/client 2.4', two, 'handshake'],
  ['@modelcontextprotocol/client 2.4 that looks for newer versions', negotiating('auto'), 'modern'],
  [
    '@modelcontextprotocol/client 2.4 that speaks 2026-07-28 alone',
    negotiating({ pin: '2026-07-28' }),
    'modern',
  ],
];
