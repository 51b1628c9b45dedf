import { describe, expect, test } from '@jest/globals';
import { KNOWN_CLIENTS, versionNotes } from '../../cli/known-clients.ts';
import { clientConfigurations } from '../../layers/core/domain/client-configurations.ts';

describe('the versions of MCP that a client speaks', () => {
  test.each([
    ['claude-code', 'Claude Code speaks MCP 2026-07-28, or 2025-11-25 where that is not served.'],
    ['vscode', 'VS Code speaks MCP 2025-11-25.'],
    ['cursor', 'Cursor speaks MCP 2025-06-18.'],
    ['codex', 'Codex speaks MCP 2025-06-18.'],
    [
      'gemini-cli',
      'Gemini CLI asks for MCP 2025-06-18, never repeats it, and is answered in the oldest version.',
    ],
    ['inspector', 'Inspector speaks MCP 2025-11-25.'],
  ])('of %s are told: %s', (client, note) => {
    expect(versionNotes(client)).toEqual([note]);
  });

  test('of a client that was not recorded are not guessed', () => {
    expect(versionNotes('windsurf')).toEqual([]);
  });

  test('are of clients that the service has configurations for', () => {
    const url = 'https://mcp.example.com/v1/mcp-router/books/messages';
    const configured = clientConfigurations({ slug: 'books', url, authMethod: 'none' });
    const named = KNOWN_CLIENTS.flatMap(({ client }) => client ?? []);

    expect(configured.map(({ client }) => client)).toEqual(expect.arrayContaining(named));
  });
});
