import { type McpAuthMethod, AUTH_METHOD_TRAITS } from '../../../deployments/rules/auth-methods.ts';
import {
  type ClientId,
  configuredClients,
  type McpClient,
  TOKEN_VARIABLE,
} from '../../../platform/rules/mcp-clients.ts';
import { serverName } from './server-name.ts';

export interface ConnectableServer {
  readonly slug: string;
  /** URL of the server's messages endpoint. */
  readonly url: string;
  readonly authMethod: McpAuthMethod;
  /** Clients prefix these with the server's name, and limit the length of both together. */
  readonly toolNames: readonly string[];
}

/** How one MCP client is connected to one server. Code in its sentences stands between backticks. */
export interface ClientConfiguration {
  /** The name that the command line takes: `claude-code`. */
  readonly client: string;
  /** The name that people use: `Claude Code`. */
  readonly name: string;
  /** Where the text is pasted: a file, a terminal, a settings page. */
  readonly where: string;
  /** The text to paste. It never contains a token, at most a placeholder. */
  readonly paste: string;
  /** Deep link that adds the server in the application; absent where the application has none. */
  readonly link?: string;
  /** Why this client cannot connect to this server; absent where it can. */
  readonly obstacle?: string;
  readonly notes: readonly string[];
}

/**
 * How each MCP client is connected to a server, the most used ones first, for docs page, console and command line.
 */
export const clientConfigurations = (server: ConnectableServer): readonly ClientConfiguration[] =>
  configuredClients().map((known) => {
    const { client, name } = known;
    const situation = situationOf(server);
    const { notes = [], ...configured } = CONFIGURED[client](situation);
    const signingIn = situation.signsIn ? refreshing(known) : [];
    const listing = listLimit(known, server.toolNames.length);
    return { client, name, ...configured, notes: [...notes, ...signingIn, ...listing] };
  });

const listLimit = ({ lists }: McpClient, tools: number): readonly string[] =>
  lists && tools > lists.most
    ? [
        `It takes ${lists.most} tools at once, of all servers together, and this one has ${tools}: choose there which it uses.`,
      ]
    : [];

const REFRESHES = {
  yes: ['Once signed in, it stays so: it refreshes its access by itself.'],
  unreliably: [
    'It does not refresh its access reliably, and asks you to sign in again when that ends.',
  ],
} as const;

const refreshing = ({ refreshes }: McpClient): readonly string[] =>
  refreshes ? REFRESHES[refreshes.how] : [];

interface Situation {
  readonly slug: string;
  /** Name of the server in the client: the slug, or a shorter one. */
  readonly called: string;
  readonly url: string;
  /** The owner hands out tokens, and the reader pastes one. */
  readonly needsToken: boolean;
  readonly signsIn: boolean;
  readonly isPublic: boolean;
  readonly tokenNotes: readonly string[];
}

type Configured = Omit<ClientConfiguration, 'client' | 'name' | 'notes'> &
  Partial<Pick<ClientConfiguration, 'notes'>>;

const situationOf = ({ slug, url, authMethod, toolNames }: ConnectableServer): Situation => {
  const { tokensFrom } = AUTH_METHOD_TRAITS[authMethod];
  const needsToken = tokensFrom === 'owner';
  return {
    slug,
    called: serverName(slug, toolNames),
    url,
    needsToken,
    signsIn: tokensFrom === 'login',
    isPublic: isPublic(url),
    tokenNotes: needsToken
      ? [
          `The token is read from the environment variable \`${TOKEN_VARIABLE}\`. ${mintedFor(slug)}`,
        ]
      : [],
  };
};

const CONFIGURED: Readonly<Record<ClientId, (situation: Situation) => Configured>> = {
  'claude-code': ({ called, url, needsToken, signsIn, tokenNotes }) => ({
    where: 'Run in a terminal:',
    paste: `claude mcp add --transport http ${called} ${url}${headerOption(needsToken)}`,
    notes: [
      ...tokenNotes,
      ...(signsIn ? ['Then `/mcp` in Claude Code opens the page to sign in.'] : []),
    ],
  }),
  'claude-desktop': ({ slug, called, url, needsToken, isPublic }) => {
    if (!needsToken && isPublic) {
      return {
        where: 'In Claude: Settings, Connectors, Add custom connector. Paste this address:',
        paste: url,
      };
    }
    // Claude's connectors call from Anthropic's cloud and send no header; the local bridge
    // `mcp-remote` has neither limit.
    const header = needsToken ? ['--header', `Authorization:\${AUTHORIZATION}`] : [];
    const args = ['-y', 'mcp-remote', url, '--transport', 'http-only', ...header];
    const env = needsToken && { env: { AUTHORIZATION: 'Bearer YOUR_TOKEN' } };
    return {
      where: 'In `claude_desktop_config.json` (Settings, Developer, Edit Config):',
      paste: pretty({ mcpServers: { [called]: { command: 'npx', args, ...env } } }),
      notes: [
        'It needs Node on this machine; restart Claude afterwards.',
        ...(needsToken ? [`Put a token for \`YOUR_TOKEN\`. ${mintedFor(slug)}`] : []),
      ],
    };
  },
  cursor: ({ called, url, needsToken, signsIn, tokenNotes }) => {
    const entry = { url, ...authorization(needsToken, `Bearer \${env:${TOKEN_VARIABLE}}`) };
    const config = encodeURIComponent(base64(JSON.stringify(entry)));
    return {
      where: 'In `.cursor/mcp.json` of a project, or `~/.cursor/mcp.json`:',
      paste: pretty({ mcpServers: { [called]: entry } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(called)}&config=${config}`,
      notes: [
        ...tokenNotes,
        ...(needsToken ? ['Start Cursor from a terminal that has it.'] : []),
        ...(signsIn ? [CURSOR_SIGN_IN] : []),
      ],
    };
  },
  vscode: ({ slug, called, url, needsToken }) => {
    const inputs = needsToken && {
      inputs: [
        { type: 'promptString', id: 'token', description: `Token for ${slug}`, password: true },
      ],
    };
    const entry = {
      type: 'http',
      url,
      ...authorization(needsToken, 'Bearer ${input:token}'),
    };
    const install = JSON.stringify({ name: called, ...inputs, ...entry });
    return {
      where: 'In `.vscode/mcp.json` of a project:',
      paste: pretty({ ...inputs, servers: { [called]: entry } }),
      link: `vscode:mcp/install?${encodeURIComponent(install)}`,
      notes: [
        'GitHub Copilot in VS Code has its tools then, in agent mode.',
        ...(needsToken ? [`VS Code asks for the token. ${mintedFor(slug)}`] : []),
      ],
    };
  },
  chatgpt: ({ url, needsToken, isPublic }) => ({
    where: 'In ChatGPT: Settings, Connectors, in developer mode: Create. Paste this address:',
    paste: url,
    ...(!isPublic && {
      obstacle: 'ChatGPT calls from outside and cannot reach this machine.',
    }),
    ...(needsToken && {
      obstacle:
        'ChatGPT takes no token: it needs a server where people sign in, or one that is public.',
    }),
  }),
  codex: ({ called, url, needsToken, signsIn, tokenNotes }) => ({
    where: 'Run in a terminal:',
    paste: `codex mcp add ${called} --url ${url}${needsToken ? ` --bearer-token-env-var ${TOKEN_VARIABLE}` : ''}`,
    notes: [
      ...tokenNotes,
      ...(needsToken ? ['Start Codex from a terminal that has it.'] : []),
      ...(signsIn ? [`To sign in: \`codex mcp login ${called}\``] : []),
    ],
  }),
  'gemini-cli': ({ called, url, needsToken, signsIn, tokenNotes }) => ({
    where: 'Run in a terminal:',
    paste: `gemini mcp add --transport http --scope user ${called} ${url}${headerOption(needsToken)}`,
    notes: [
      ...tokenNotes,
      ...(signsIn ? [`To sign in: \`/mcp auth ${called}\` in a session.`] : []),
    ],
  }),
  'copilot-cli': ({ called, url, needsToken, tokenNotes }) => ({
    where: 'In `~/.copilot/mcp-config.json`:',
    paste: pretty({
      mcpServers: {
        [called]: {
          type: 'http',
          url,
          ...authorization(needsToken, `Bearer \${${TOKEN_VARIABLE}}`),
          tools: ['*'],
        },
      },
    }),
    notes: tokenNotes,
  }),
  windsurf: ({ called, url, needsToken, tokenNotes }) => ({
    where: 'In `~/.codeium/windsurf/mcp_config.json`:',
    paste: pretty({
      mcpServers: {
        [called]: {
          serverUrl: url,
          ...authorization(needsToken, `Bearer \${env:${TOKEN_VARIABLE}}`),
        },
      },
    }),
    notes: tokenNotes,
  }),
  inspector: ({ url, needsToken, tokenNotes }) => ({
    where: 'Run in a terminal:',
    paste: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list${headerOption(needsToken)}`,
    notes: [
      'Without `--cli` and what follows it opens a page: choose Streamable HTTP and paste the address there.',
      'With `--protocol-era modern` it speaks 2026-07-28.',
      ...tokenNotes,
    ],
  }),
  curl: ({ slug, url, needsToken, signsIn, tokenNotes }) => ({
    where: 'Run in a terminal:',
    paste: [
      `curl ${url}`,
      "-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'",
      ...(needsToken || signsIn ? [`-H "Authorization: Bearer $${TOKEN_VARIABLE}"`] : []),
      `-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    ].join(' \\\n  '),
    notes: signsIn
      ? [
          `\`${TOKEN_VARIABLE}\` holds an access token. The owner of the server creates one for an hour under Connect in the console, or with: \`npx --no-install hosted-mcp token mint ${slug}\``,
        ]
      : tokenNotes,
  }),
};

/** Cursor registers this redirect URI; the operator decides which private-use schemes are allowed. */
const CURSOR_SIGN_IN =
  'Should the service refuse Cursor before anybody can sign in, ask its operator to allow ' +
  '`cursor://anysphere.cursor-mcp/oauth/callback`.';

const mintedFor = (slug: string): string =>
  `The owner of the server creates one under Access in the console, or with: \`npx --no-install hosted-mcp token mint ${slug}\``;

const headerOption = (needsToken: boolean): string =>
  needsToken ? ` --header "Authorization: Bearer $${TOKEN_VARIABLE}"` : '';

const authorization = (needsToken: boolean, value: string) =>
  needsToken ? { headers: { Authorization: value } } : {};

/** HTTPS, and not a loopback address. */
const isPublic = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const pretty = (value: object): string => JSON.stringify(value, null, 2);
