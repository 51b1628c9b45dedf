import { describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../cli/commands/index.ts';
import { intentOf, lineOf } from '../../cli/parse.ts';
import { documents } from './documents.ts';

/** The words of a line as a shell splits it, its comment left out. */
const wordsOf = (line: string): readonly string[] =>
  [...line.replace(/\s#.*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );

/** @throws Error for what the command line would refuse */
const commandOf = (line: string): string => {
  const args = wordsOf(line).slice(3);
  const { command } = intentOf(args, COMMANDS);
  if (!command) throw new Error(`there is no such command: ${line}`);
  return lineOf(args, command).command.name;
};

describe('the documents', () => {
  test('show command lines that can be typed as they stand', async () => {
    const lines = (await documents())
      .flatMap(({ text }) => text.split('\n'))
      .map((line) => line.trim())
      .filter((line) => line.startsWith('npx --no-install hosted-mcp '));
    const shown = lines.map(commandOf);

    expect(shown).toEqual(expect.arrayContaining(['signup', 'deploy', 'call', 'config', 'doctor']));
  });
});
