import { isLoopback } from './api/base-url.ts';
import { KNOWN_CLIENTS } from './known-clients.ts';

export const CLIENTS = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'chatgpt',
  'codex',
  'gemini-cli',
  'inspector',
] as const;

export type Client = (typeof CLIENTS)[number];

export interface Connectable {
  readonly slug: string;
  readonly url: string;
  /** Only mode `jwt` needs a token put in; clients get one by themselves where there is a login. */
  readonly needsToken: boolean;
}

/** What to paste, where to, and what to know. */
export interface ClientConfiguration {
  readonly where: string;
  readonly paste: string;
  readonly notes: readonly string[];
}

/** The environment variable that holds a minted token, so that no file does. */
const TOKEN = 'HOSTED_MCP_TOKEN';
const FROM_SHELL = `The token is taken from the environment variable ${TOKEN}: export ${TOKEN}="$(npx hosted-mcp token mint SLUG)"`;

/** How one client is connected to a deployment. */
export const configurationFor = (client: Client, deployment: Connectable): ClientConfiguration => {
  const { where, paste, notes = [] } = BY_CLIENT[client](deployment);
  const adapted = notes.map((note) => note.replaceAll('SLUG', deployment.slug));
  return { where, paste, notes: [...adapted, ...versionNotes(client)] };
};

/** Source: docs/protocol.md, "What each client speaks". */
const versionNotes = (client: Client): readonly string[] => {
  const known = KNOWN_CLIENTS.find(({ name }) => name === KNOWN_AS[client]);
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

/** What is not among these has not been recorded. */
const KNOWN_AS: Readonly<Partial<Record<Client, string>>> = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  inspector: 'Inspector',
};

/** What Cursor registers; schemes of apps are the operator's to allow. */
const CURSOR_SIGN_IN =
  'To sign in with Cursor, cursor://anysphere.cursor-mcp/oauth/callback has to be in allowed_redirect_uris of the' +
  ' service, as it is in config/ (with npm start: in HOSTED_MCP_ALLOWED_REDIRECT_URIS).';

type Configured = Omit<ClientConfiguration, 'notes'> & Partial<ClientConfiguration>;

const BY_CLIENT: Readonly<Record<Client, (deployment: Connectable) => Configured>> = {
  'claude-code': ({ slug, url, needsToken }) => ({
    where: 'Run in a terminal:',
    paste: `claude mcp add --transport http ${slug} ${url}${headerOption(needsToken)}`,
    ...(needsToken && { notes: [FROM_SHELL] }),
  }),

  'claude-desktop': ({ slug, url, needsToken }) => {
    if (!needsToken && isPublic(url)) {
      return {
        where: 'In Claude: Settings, Connectors, Add custom connector. Paste this address:',
        paste: url,
      };
    }
    // Connectors are called from outside and take no header: a bridge on this machine does both.
    const header = needsToken ? ['--header', `Authorization:\${AUTHORIZATION}`] : [];
    const args = ['-y', 'mcp-remote', url, '--transport', 'http-only', ...header];
    const env = needsToken && { env: { AUTHORIZATION: 'Bearer YOUR_TOKEN' } };
    return {
      where: 'In claude_desktop_config.json (Settings, Developer, Edit Config):',
      paste: pretty({ mcpServers: { [slug]: { command: 'npx', args, ...env } } }),
      notes: [
        'It needs Node on this machine; restart Claude afterwards.',
        ...(needsToken ? ['Put the output of npx hosted-mcp token mint SLUG for YOUR_TOKEN.'] : []),
      ],
    };
  },

  cursor: ({ slug, url, needsToken }) => ({
    where: 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json:',
    paste: pretty({
      mcpServers: {
        [slug]: {
          url,
          ...(needsToken && { headers: { Authorization: `Bearer \${env:${TOKEN}}` } }),
        },
      },
    }),
    notes: needsToken ? [FROM_SHELL, 'Start Cursor from that terminal.'] : [CURSOR_SIGN_IN],
  }),

  vscode: ({ slug, url, needsToken }) => ({
    where: 'In .vscode/mcp.json of a project:',
    paste: pretty({
      ...(needsToken && {
        inputs: [
          { type: 'promptString', id: 'token', description: `Token for ${slug}`, password: true },
        ],
      }),
      servers: {
        [slug]: {
          type: 'http',
          url,
          ...(needsToken && { headers: { Authorization: 'Bearer ${input:token}' } }),
        },
      },
    }),
    ...(needsToken && {
      notes: ['VS Code asks for it: npx hosted-mcp token mint SLUG prints one.'],
    }),
  }),

  chatgpt: ({ url, needsToken }) => ({
    where: 'In ChatGPT: Settings, Connectors, in developer mode: Create. Paste this address:',
    paste: url,
    notes: [
      ...(isPublic(url) ? [] : ['ChatGPT calls from outside and cannot reach this machine.']),
      ...(needsToken ? ['ChatGPT takes no token: publish with --auth oauth or none for it.'] : []),
    ],
  }),

  codex: ({ slug, url, needsToken }) => ({
    where: 'Run in a terminal:',
    paste: `codex mcp add ${slug} --url ${url}${needsToken ? ` --bearer-token-env-var ${TOKEN}` : ''}`,
    notes: needsToken
      ? [FROM_SHELL, 'Start Codex from that terminal.']
      : ['Where there is a login: codex mcp login SLUG.'],
  }),

  'gemini-cli': ({ slug, url, needsToken }) => ({
    where: 'Run in a terminal:',
    paste: `gemini mcp add --transport http --scope user ${slug} ${url}${headerOption(needsToken)}`,
    notes: needsToken ? [FROM_SHELL] : ['Where there is a login: /mcp auth SLUG in a session.'],
  }),

  inspector: ({ url, needsToken }) => ({
    where: 'Run in a terminal:',
    paste: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list${headerOption(needsToken)}`,
    notes: [
      'Without --cli and what follows it opens a page: choose Streamable HTTP and paste the address there.',
      'With --protocol-era modern it speaks 2026-07-28.',
      ...(needsToken ? [FROM_SHELL] : []),
    ],
  }),
};

const headerOption = (needsToken: boolean): string =>
  needsToken ? ` --header "Authorization: Bearer $${TOKEN}"` : '';

const isPublic = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && !isLoopback(hostname);
};

const pretty = (value: object): string => JSON.stringify(value, null, 2);
