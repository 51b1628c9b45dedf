import { accountsIn, usualBaseUrl } from './accounts.ts';
import { apiAt } from './api/api.ts';
import { readBaseUrl } from './api/base-url.ts';
import { asking } from './input/ask.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { EXIT, type ExitCode, Failure, usageFailure } from './failure.ts';
import { commandHelp, groupHelp, overview } from './help.ts';
import { type Output, outputTo } from './output.ts';
import { type Intent, intentOf, lineOf, withLongHelp } from './parse.ts';
import { settingsFile } from './settings.ts';
import type { World } from './world.ts';

/**
 * The command line `hosted-mcp`.
 *
 * @param typed - the arguments without program and script
 */
export const run = async (typed: readonly string[], world: World): Promise<ExitCode> => {
  const args = withLongHelp(typed);
  const intent = intentOf(args, COMMANDS);
  const output = outputTo(world, intent.json);
  try {
    const lines = helpFor(intent);
    if (lines) {
      output.result({ help: lines.join('\n') }, lines);
      return EXIT.ok;
    }
    return (await runCommand(args, commandOf(intent), world, output)) ?? EXIT.ok;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    output.failure(error);
    return error.exitCode;
  }
};

const runCommand = async (
  args: readonly string[],
  command: Command,
  world: World,
  output: Output,
): Promise<ExitCode | void> => {
  const { places, values, url } = lineOf(args, command);
  const file = settingsFile(world);
  const accounts = accountsIn(file, world);
  const baseUrl = readBaseUrl(url ?? (await usualBaseUrl(file)));
  const api = apiAt(world, baseUrl, async () => (await accounts.session(baseUrl)).token);
  return command.run({ world, output, ask: asking(world), accounts, api }, places, values);
};

/** Undefined if it is not help that is wanted. */
const helpFor = ({ command, words, help }: Intent): readonly string[] | undefined => {
  if (words[0] === 'help') return helpFor({ ...wordsOnly(words.slice(1)), help: true });
  if (!help && words.length > 0) return undefined;
  if (command) return commandHelp(command);
  const group = groupOf(words);
  return group.length > 0 ? groupHelp(group) : overview(COMMANDS);
};

const wordsOnly = (words: readonly string[]): Intent => intentOf(['--', ...words], COMMANDS);

const groupOf = ([word]: readonly string[]): readonly Command[] =>
  COMMANDS.filter(({ name }) => name.split(' ')[0] === word);

/** @throws Failure usage if the words name no command */
const commandOf = ({ command, words }: Intent): Command => {
  if (command) return command;
  const group = groupOf(words);
  if (group.length > 0) {
    const more = group.map(({ name }) => name.split(' ').slice(1).join(' '));
    throw usageFailure(
      `"${words[0]}" wants one word more: ${more.join(', ')}.`,
      `npx hosted-mcp ${words[0]} --help tells what they do.`,
    );
  }
  throw usageFailure(
    `There is no command "${words[0]}".`,
    'npx hosted-mcp --help shows all commands.',
  );
};
