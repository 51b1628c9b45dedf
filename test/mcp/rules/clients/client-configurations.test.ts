import { describe, expect, test } from '@jest/globals';
import {
  type McpAuthMethod,
  MCP_AUTH_METHODS,
} from '../../../../layers/deployments/rules/auth-methods.ts';
import {
  type ClientConfiguration,
  clientConfigurations,
} from '../../../../layers/mcp/rules/clients/client-configurations.ts';

const PUBLIC = 'https://mcp.example.com/v1/mcp-router/books/messages';
const LOCAL = 'http://127.0.0.1:8787/v1/mcp-router/books/messages';

const all = (url: string, authMethod: McpAuthMethod) =>
  clientConfigurations({ slug: 'books', url, authMethod, toolNames: ['list_books'] });
const one = (client: string, url: string, authMethod: McpAuthMethod): ClientConfiguration =>
  all(url, authMethod).find((row) => row.client === client)!;
const CLIENTS = all(PUBLIC, 'none').map(({ client }) => client);

describe('the configuration of a client', () => {
  test.each([
    [128, undefined],
    [
      129,
      'It takes 128 tools at once, of all servers together, and this one has 129: choose there which it uses.',
    ],
  ])('says of %d tools whether a client takes as many', (count, told) => {
    const toolNames = Array.from({ length: count }, (_, at) => `t${at}`);
    const rows = clientConfigurations({ slug: 'b', url: PUBLIC, authMethod: 'none', toolNames });
    const said = rows.flatMap(({ client, notes }) =>
      notes.filter((note) => note.includes('at once')).map((note) => [client, note]),
    );

    expect(said).toEqual(told === undefined ? [] : [['vscode', told]]);
  });

  test.each([
    ['claude-code', `claude mcp add --transport http books ${PUBLIC}`],
    ['claude-desktop', PUBLIC],
    ['cursor', JSON.stringify({ mcpServers: { books: { url: PUBLIC } } }, null, 2)],
    ['vscode', JSON.stringify({ servers: { books: { type: 'http', url: PUBLIC } } }, null, 2)],
    ['chatgpt', PUBLIC],
    ['codex', `codex mcp add books --url ${PUBLIC}`],
    ['gemini-cli', `gemini mcp add --transport http --scope user books ${PUBLIC}`],
    [
      'copilot-cli',
      JSON.stringify(
        { mcpServers: { books: { type: 'http', url: PUBLIC, tools: ['*'] } } },
        null,
        2,
      ),
    ],
    ['windsurf', JSON.stringify({ mcpServers: { books: { serverUrl: PUBLIC } } }, null, 2)],
    [
      'inspector',
      `npx @modelcontextprotocol/inspector --cli ${PUBLIC} --transport http --method tools/list`,
    ],
  ])('%s is %s', (client, paste) => {
    expect(one(client, PUBLIC, 'none').paste).toBe(paste);
  });

  test.each([
    ['claude-code', '--header "Authorization: Bearer $MCP_TOKEN"'],
    ['claude-desktop', '"Authorization:${AUTHORIZATION}"'],
    ['cursor', '"Authorization": "Bearer ${env:MCP_TOKEN}"'],
    ['vscode', '"Authorization": "Bearer ${input:token}"'],
    ['codex', '--bearer-token-env-var MCP_TOKEN'],
    ['gemini-cli', '--header "Authorization: Bearer $MCP_TOKEN"'],
    ['copilot-cli', '"Authorization": "Bearer ${MCP_TOKEN}"'],
    ['windsurf', '"Authorization": "Bearer ${env:MCP_TOKEN}"'],
    ['inspector', '--header "Authorization: Bearer $MCP_TOKEN"'],
    ['curl', '-H "Authorization: Bearer $MCP_TOKEN"'],
  ])('%s holds no token where one is needed, but says where it comes from: %s', (client, text) => {
    const { paste, notes } = one(client, PUBLIC, 'jwt');

    expect(paste).toContain(text);
    expect(notes.join(' ')).toContain('hosted-mcp token mint books');
  });

  test.each(CLIENTS)('%s is JSON where it begins as JSON, and names the address', (client) => {
    const texts = [PUBLIC, LOCAL].flatMap((url) =>
      MCP_AUTH_METHODS.map((method) => one(client, url, method).paste),
    );

    for (const text of texts.filter((text) => text.startsWith('{'))) JSON.parse(text);
    expect(texts.filter((text) => !/127|mcp\.example/.test(text))).toEqual([]);
  });

  test.each(['none', 'jwt'] as const)(
    'the links of Cursor and VS Code hold what is pasted there: mode %s',
    (method) => {
      const cursor = one('cursor', PUBLIC, method);
      const { searchParams } = new URL(cursor.link!);
      const entry = Buffer.from(searchParams.get('config')!, 'base64').toString();
      expect(searchParams.get('name')).toBe('books');
      expect({ mcpServers: { books: JSON.parse(entry) } }).toEqual(JSON.parse(cursor.paste));

      const vscode = one('vscode', PUBLIC, method);
      const { search, protocol, pathname } = new URL(vscode.link!);
      expect(`${protocol}${pathname}`).toBe('vscode:mcp/install');
      const { name, inputs, ...server } = JSON.parse(decodeURIComponent(search.slice(1)));
      expect({ ...(inputs && { inputs }), servers: { [name]: server } }).toEqual(
        JSON.parse(vscode.paste),
      );
    },
  );

  test.each(['a&config=x#y', '"><script>', 'a%26b c', '../x?name=z'])(
    'a name such as %s can put nothing else into a link',
    (slug) => {
      const rows = clientConfigurations({
        slug,
        url: PUBLIC,
        authMethod: 'none',
        toolNames: [],
      });
      const linkOf = (client: string) => rows.find((row) => row.client === client)?.link ?? '';
      const cursor = new URL(linkOf('cursor'));
      const vscode = new URL(linkOf('vscode'));

      expect([...cursor.searchParams.keys()]).toEqual(['name', 'config']);
      expect(cursor.searchParams.get('name')).toBe(slug);
      expect(cursor.pathname + cursor.hash).toBe('/mcp/install');
      expect(JSON.parse(decodeURIComponent(vscode.search.slice(1)))).toMatchObject({
        name: slug,
        url: PUBLIC,
      });
      expect(vscode.hash).toBe('');
      expect(linkOf('cursor') + linkOf('vscode')).not.toMatch(/["<>\s]/);
    },
  );

  test.each([
    ['claude-code', 'does not refresh its access reliably'],
    ['claude-desktop', 'does not refresh its access reliably'],
    ['inspector', 'refreshes its access by itself'],
  ])('%s says where people sign in whether it stays signed in', (client, words) => {
    expect(one(client, PUBLIC, 'oauth').notes.join(' ')).toContain(words);
    expect(one(client, PUBLIC, 'jwt').notes.join(' ')).not.toContain(words);
  });

  test.each(['vscode', 'codex', 'curl'])('of %s nothing is guessed', (client) => {
    expect(one(client, PUBLIC, 'oauth').notes.join(' ')).not.toContain('refresh');
  });

  test('code stands between two backticks each, in every sentence', () => {
    const texts = [PUBLIC, LOCAL].flatMap((url) =>
      MCP_AUTH_METHODS.flatMap((method) =>
        all(url, method).flatMap(({ where, notes }) => [where, ...notes]),
      ),
    );

    expect(texts.filter((text) => text.split('`').length % 2 === 0)).toEqual([]);
    const words = texts.map((text) => text.split('`').filter((_, index) => index % 2 === 0));
    expect(words.flat().filter((text) => /--[a-z]|npx|\w_\w|\.json/.test(text))).toEqual([]);
  });

  test.each([
    ['chatgpt', LOCAL, 'oauth', 'cannot reach this machine'],
    ['chatgpt', LOCAL, 'none', 'cannot reach this machine'],
    ['chatgpt', PUBLIC, 'jwt', 'takes no token'],
    ['chatgpt', 'https://localhost/v1/mcp-router/books/messages', 'none', 'cannot reach'],
  ] as const)('%s cannot connect to %s in mode %s: %s', (client, url, method, why) => {
    expect(one(client, url, method).obstacle).toContain(why);
  });

  test.each(MCP_AUTH_METHODS)('Claude comes in by a bridge on this machine: mode %s', (method) => {
    expect(one('claude-desktop', LOCAL, method).paste).toContain('mcp-remote');
    expect(one('claude-desktop', LOCAL, method).obstacle).toBeUndefined();
  });

  test('only ChatGPT is ever kept from connecting', () => {
    const kept = [PUBLIC, LOCAL].flatMap((url) =>
      MCP_AUTH_METHODS.flatMap((method) => all(url, method)),
    );
    const names = kept.filter(({ obstacle }) => obstacle !== undefined).map(({ name }) => name);

    expect(new Set(names)).toEqual(new Set(['ChatGPT']));
  });

  test.each([
    ['oauth', true],
    ['jwt', false],
    ['none', false],
  ] as const)('speaks of signing in only where there is a sign-in: mode %s', (method, signsIn) => {
    const notes = all(PUBLIC, method).flatMap((row) => row.notes);

    expect(notes.some((note) => /sign in/i.test(note))).toBe(signsIn);
  });
});
