import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  REFRESHING_CLIENTS,
  refreshingInWords,
} from '../../../../layers/mcp/rules/clients/refreshing-clients.ts';

const ACCESS = new URL('../../../../docs/access.md', import.meta.url);
const WORDS = { yes: 'yes', unreliably: 'not reliably' } as const;

/** Below the title of the table, but for the last row, which is of all others. */
const rowsOf = (document: string): readonly (readonly string[])[] =>
  document
    .slice(document.indexOf('| Client | Refreshes | Source |'))
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('|') && !line.startsWith('| all others |'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('which clients refresh', () => {
  test('stands in the documentation as the console says it', () => {
    const rows = rowsOf(readFileSync(ACCESS, 'utf8'));

    expect(rows.map(([clients, , source]) => [clients, source])).toEqual(
      REFRESHING_CLIENTS.map(({ clients, source }) => [clients, source]),
    );
    for (const [index, { refresh }] of REFRESHING_CLIENTS.entries()) {
      expect(rows[index]?.[1]).toMatch(new RegExp(`^${WORDS[refresh]}\\b`));
    }
  });

  test('is one sentence that names each of them', () => {
    const words = refreshingInWords();

    for (const { clients } of REFRESHING_CLIENTS) expect(words).toContain(clients);
    expect(words.match(/\.$/gm)).toHaveLength(1);
    expect(words.indexOf('Inspector')).toBeLessThan(words.indexOf('by themselves'));
    expect(words.indexOf('Claude Code')).toBeGreaterThan(words.indexOf('by themselves'));
  });
});
