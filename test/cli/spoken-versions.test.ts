import { describe, expect, test } from '@jest/globals';
import { clientsByVersion, versionNotes } from '../../cli/spoken-versions.ts';

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
    ['inspector', 'MCP Inspector speaks MCP 2025-11-25.'],
  ])('of %s are: %s', (client, note) => {
    expect(versionNotes(client)).toEqual([note]);
  });

  test.each([
    ['windsurf', 'that was not recorded'],
    ['claude-desktop', 'for which another program speaks'],
    ['nobody', 'that is unknown'],
  ])('of %s, %2$s, are not guessed', (client) => {
    expect(versionNotes(client)).toEqual([]);
  });

  test('group the clients by what a service serves, and leave out those that were not recorded', () => {
    expect(clientsByVersion(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'])).toBe(
      '2026-07-28: Claude Code, GitHub Copilot CLI; ' +
        '2025-11-25: VS Code, MCP Inspector, mcp-remote (Claude Desktop); ' +
        '2025-06-18: Cursor, Codex; 2025-03-26: Gemini CLI',
    );
    expect(clientsByVersion(['2025-03-26'])).not.toContain(';');
  });
});
