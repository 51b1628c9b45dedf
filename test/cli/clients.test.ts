import { describe, expect, test } from '@jest/globals';
import { type Client, CLIENTS, configurationFor } from '../../cli/clients.ts';

const PUBLIC = 'https://mcp.example.com/v1/mcp-router/books/messages';
const LOCAL = 'http://127.0.0.1:8787/v1/mcp-router/books/messages';

const pasted = (client: Client, url: string, needsToken = false) =>
  configurationFor(client, { slug: 'books', url, needsToken });

describe('the configuration of a client', () => {
  test.each<[Client, string]>([
    ['claude-code', `claude mcp add --transport http books ${PUBLIC}`],
    ['claude-desktop', PUBLIC],
    ['cursor', JSON.stringify({ mcpServers: { books: { url: PUBLIC } } }, null, 2)],
    ['vscode', JSON.stringify({ servers: { books: { type: 'http', url: PUBLIC } } }, null, 2)],
    ['chatgpt', PUBLIC],
    ['codex', `codex mcp add books --url ${PUBLIC}`],
    ['gemini-cli', `gemini mcp add --transport http --scope user books ${PUBLIC}`],
    [
      'inspector',
      `npx @modelcontextprotocol/inspector --cli ${PUBLIC} --transport http --method tools/list`,
    ],
  ])('%s is %s', (client, paste) => {
    expect(pasted(client, PUBLIC).paste).toBe(paste);
  });

  test.each<[Client, string]>([
    ['claude-code', '--header "Authorization: Bearer $HOSTED_MCP_TOKEN"'],
    ['claude-desktop', '"Authorization:${AUTHORIZATION}"'],
    ['cursor', '"Authorization": "Bearer ${env:HOSTED_MCP_TOKEN}"'],
    ['vscode', '"Authorization": "Bearer ${input:token}"'],
    ['codex', '--bearer-token-env-var HOSTED_MCP_TOKEN'],
    ['gemini-cli', '--header "Authorization: Bearer $HOSTED_MCP_TOKEN"'],
    ['inspector', '--header "Authorization: Bearer $HOSTED_MCP_TOKEN"'],
  ])('%s holds no token where one is needed, but says where it comes from: %s', (client, text) => {
    const { paste, notes } = pasted(client, PUBLIC, true);

    expect(paste).toContain(text);
    expect(notes.join(' ')).toContain('hosted-mcp token mint books');
  });

  test.each(CLIENTS)('%s is JSON where it begins as JSON', (client) => {
    const texts = [PUBLIC, LOCAL].flatMap((url) =>
      [true, false].map((needsToken) => pasted(client, url, needsToken).paste),
    );

    for (const text of texts.filter((one) => one.startsWith('{'))) JSON.parse(text);
    expect(texts.filter((one) => !/127|mcp\.example/.test(one))).toEqual([]);
  });

  test.each<[Client, string]>([
    ['claude-code', 'Claude Code speaks MCP 2026-07-28, or 2025-11-25 where that is not served.'],
    ['vscode', 'VS Code speaks MCP 2025-11-25.'],
    ['cursor', 'Cursor speaks MCP 2025-06-18.'],
    ['codex', 'Codex speaks MCP 2025-06-18.'],
    [
      'gemini-cli',
      'Gemini CLI asks for MCP 2025-06-18, never repeats it, and is answered in the oldest version.',
    ],
    ['inspector', 'Inspector speaks MCP 2025-11-25.'],
    ['inspector', 'With --protocol-era modern it speaks 2026-07-28.'],
  ])('of %s tells the version that it speaks', (client, note) => {
    expect(pasted(client, PUBLIC).notes).toContain(note);
  });

  test('says that clients outside cannot reach this machine', () => {
    expect(pasted('chatgpt', LOCAL).notes.join()).toContain('cannot reach this machine');
    expect(pasted('chatgpt', PUBLIC).notes).toEqual([]);
    expect(pasted('claude-desktop', LOCAL).paste).toContain('mcp-remote');
  });
});
