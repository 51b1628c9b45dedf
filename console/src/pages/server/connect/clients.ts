/** What a client needs to know of a server. */
export interface Connectable {
  readonly slug: string;
  readonly url: string;
  /** Only mode `jwt` needs a token put in; clients get one by themselves where there is a sign-in. */
  readonly needsToken: boolean;
  /** Mode `oauth`. */
  readonly signsIn: boolean;
}

export interface Instructions {
  readonly client: string;
  /** What to do with it. */
  readonly where: string;
  readonly paste: string;
  readonly notes: readonly string[];
}

/** The environment variable that holds a minted token, so that no file does. */
const TOKEN = 'HOSTED_MCP_TOKEN';

/** What Cursor registers; schemes of apps are the operator's to allow. */
const CURSOR_SIGN_IN =
  'To sign in with Cursor, cursor://anysphere.cursor-mcp/oauth/callback has to be in allowed_redirect_uris of the' +
  ' service, as it is in config/ (with npm start: in HOSTED_MCP_ALLOWED_REDIRECT_URIS).';

/** The same as `hosted-mcp config` prints, and curl: a test compares the two. */
export const instructionsFor = (server: Connectable): readonly Instructions[] => {
  const { slug, url, needsToken, signsIn } = server;
  const option = needsToken ? ` --header "Authorization: Bearer $${TOKEN}"` : '';
  const fromShell = needsToken
    ? [`The token is taken from the environment variable ${TOKEN}; mint one under Access.`]
    : [];
  return [
    {
      client: 'Claude Code',
      where: 'Run in a terminal:',
      paste: `claude mcp add --transport http ${slug} ${url}${option}`,
      notes: [
        ...fromShell,
        ...(signsIn ? ['Then /mcp in Claude Code opens the page to sign in.'] : []),
      ],
    },
    claudeDesktop(server),
    {
      client: 'Cursor',
      where: 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json:',
      paste: pretty({
        mcpServers: {
          [slug]: {
            url,
            ...(needsToken && { headers: { Authorization: `Bearer \${env:${TOKEN}}` } }),
          },
        },
      }),
      notes: [
        ...(needsToken ? [...fromShell, 'Start Cursor from that terminal.'] : []),
        ...(signsIn ? [CURSOR_SIGN_IN] : []),
      ],
    },
    {
      client: 'VS Code',
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
      notes: needsToken ? ['VS Code asks for the token.'] : [],
    },
    {
      client: 'ChatGPT',
      where: 'In ChatGPT: Settings, Connectors, in developer mode: Create. Paste this address:',
      paste: url,
      notes: [
        ...(isPublic(url) ? [] : ['ChatGPT calls from outside and cannot reach this machine.']),
        ...(needsToken ? ['ChatGPT takes no token: it needs a server where people sign in.'] : []),
      ],
    },
    {
      client: 'MCP Inspector',
      where: 'Run in a terminal:',
      paste: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list${option}`,
      notes: fromShell,
    },
    {
      client: 'curl',
      where: 'Run in a terminal:',
      paste: [
        `curl ${url}`,
        "-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'",
        ...(needsToken ? [`-H "Authorization: Bearer $${TOKEN}"`] : []),
        `-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
      ].join(' \\\n  '),
      notes: fromShell,
    },
  ];
};

const claudeDesktop = ({ slug, url, needsToken }: Connectable): Instructions => {
  const client = 'Claude (web and desktop)';
  if (!needsToken && isPublic(url)) {
    return {
      client,
      where: 'In Claude: Settings, Connectors, Add custom connector. Paste this address:',
      paste: url,
      notes: [],
    };
  }
  // Connectors are called from outside and take no header: a bridge on this machine does both.
  const header = needsToken ? ['--header', `Authorization:\${AUTHORIZATION}`] : [];
  const args = ['-y', 'mcp-remote', url, '--transport', 'http-only', ...header];
  const env = needsToken && { env: { AUTHORIZATION: 'Bearer YOUR_TOKEN' } };
  return {
    client,
    where: 'In claude_desktop_config.json (Settings, Developer, Edit Config):',
    paste: pretty({ mcpServers: { [slug]: { command: 'npx', args, ...env } } }),
    notes: [
      'It needs Node on this machine; restart Claude afterwards.',
      ...(needsToken ? ['Put a minted token for YOUR_TOKEN.'] : []),
    ],
  };
};

const isPublic = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === 'https:' && !isLoopback;
};

const pretty = (value: object): string => JSON.stringify(value, null, 2);
