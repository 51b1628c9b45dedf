import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../cli/commands/index.ts';
import { intentOf, lineOf } from '../../cli/parse.ts';

const README = new URL('../../README.md', import.meta.url);

/** The words of a line as a shell splits it, its comment left out. */
const wordsOf = (line: string): readonly string[] =>
  [...line.replace(/\s#.*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );

describe('the README', () => {
  test('shows command lines that can be typed as they stand', async () => {
    const lines = (await readFile(README, 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('npx hosted-mcp '));
    const read = lines.map((line) => {
      const args = wordsOf(line).slice(2);
      const { command } = intentOf(args, COMMANDS);
      if (!command) throw new Error(`there is no such command: ${line}`);
      return lineOf(args, command).command.name;
    });

    expect(read).toEqual(expect.arrayContaining(['signup', 'deploy', 'call', 'config', 'doctor']));
  });
});
