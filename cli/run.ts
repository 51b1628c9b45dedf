import { accountsIn, type Service, serviceOf } from './accounts.ts';
import { apiAt } from './api/api.ts';
import { DEFAULT_BASE_URL } from './api/base-url.ts';
import { asking } from './input/ask.ts';
import type { Command } from './command.ts';
import { nearestKnown } from './commands/names.ts';
import { COMMANDS } from './commands/index.ts';
import { EXIT, type ExitCode, Failure, usageFailure } from './failure.ts';
import { commandHelp, firstSteps, groupHelp, overview } from './help.ts';
import { type Output, outputTo } from './output.ts';
import { machineToken } from './machine-token.ts';
import { tokenFault } from './token-fault.ts';
import { errorName, memberOf, messageOf } from './text/words.ts';
import { nearest } from './nearest.ts';
import { againWith, type Intent, intentOf, lineOf, PROGRAM, withLongOptions } from './parse.ts';
import { settingsFile } from './settings.ts';
import type { World } from './world.ts';
import packageFile from '../package.json' with { type: 'json' };

/** Runs the command line. @param typed - the arguments without program and script */
export const run = async (typed: readonly string[], world: World): Promise<ExitCode> => {
  const args = withLongOptions(typed);
  // Behind a command `--version` may be that command's option.
  if (args[0] === '--version') {
    outputTo(world, args.includes('--json')).result({ version }, [version]);
    return EXIT.ok;
  }
  const intent = intentOf(args, COMMANDS);
  const output = outputTo(
    world,
    intent.json,
    againWith(intent, COMMANDS, world.program ?? PROGRAM.trim()),
  );
  try {
    const help = helpFor(intent);
    if (help) {
      const lines = help.map((line) =>
        line.replaceAll(PROGRAM, `${world.program ?? PROGRAM.trim()} `),
      );
      output.result({ help: lines.join('\n') }, lines);
      return EXIT.ok;
    }
    return (await runCommand(args, commandOf(intent), world, output)) ?? EXIT.ok;
  } catch (error) {
    const failure = error instanceof Failure ? error : unforeseen(error);
    output.failure(failure);
    return failure.exitCode;
  }
};

/** A bug, with its stack but without its message, which may quote what was read. */
const unforeseen = (error: unknown): Failure => {
  const [name, message] = [errorName(error), messageOf(error)];
  const stack = String(memberOf(error, 'stack') ?? '');
  const places = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
  return new Failure(EXIT.refused, 'bug', `This is a fault of the program itself (${name}).`, {
    findings: places.slice(0, PLACES).map((what) => ({ where: '', what, hint: '' })),
    hint: 'Report it with these lines.',
  });
};

const PLACES = 8;

const { version } = packageFile;

const runCommand = async (
  args: readonly string[],
  command: Command,
  world: World,
  output: Output,
): Promise<ExitCode | void> => {
  const { places, values, named, overridesManager } = lineOf(args, command);
  if (named.profile !== undefined && command.name.startsWith('admin ')) throw otherProfiles();
  const file = settingsFile(world);
  const { HOSTED_MCP_TOKEN: given } = world.environment;
  const { baseUrl, profile, isNamed }: Service = command.isLocal
    ? { baseUrl: DEFAULT_BASE_URL, profile: undefined, isNamed: true }
    : serviceOf(await file.read(), world, named, command.remembersService);
  const { HOSTED_MCP_TRUST: trust } = world.environment;
  if ((given || trust) && !isNamed) throw tokenWithoutService();
  const accounts = accountsIn(file, world, profile);
  let machine: ReturnType<typeof machineToken> | undefined;
  const signedIn = async () =>
    given ||
    (await (machine ??= machineToken(world, baseUrl))) ||
    (await accounts.session(baseUrl)).token;
  const token = world.token ?? signedIn;
  const api = apiAt(world, baseUrl, token, {
    'user-agent': `hosted-mcp/${version}`,
    ...(overridesManager && OVERRIDE_MANAGER),
  });
  const ask = asking(world);
  try {
    return await command.run({ world, output, ask, accounts, api }, places, values);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Operators name servers of other people, which no list of theirs has.
    const isOperator = command.name.startsWith('admin ');
    const failure = isOperator ? error : await nearestKnown(api, error, places);
    throw tokenFault(failure, {
      given,
      isMachine: Boolean(trust) && machine !== undefined,
      isPerson: ask.isPossible,
    });
  }
};

const OVERRIDE_MANAGER = { 'override-manager': 'true' };

/** Operators who type --profile mean a profile of AWS. */
const otherProfiles = () =>
  usageFailure(
    'Commands of operators do not go through a profile of this program.',
    'AWS_PROFILE=NAME before the command chooses among those of AWS, --stage the stack.',
  );

/** The last login may have been at another service than the token's. */
const tokenWithoutService = () =>
  usageFailure(
    'HOSTED_MCP_TOKEN or HOSTED_MCP_TRUST is set, and nothing says which service it is of.',
    'Name the service too: HOSTED_MCP_URL or HOSTED_MCP_PROFILE, --url or --profile.',
  );

/** Help that is asked for; undefined if none is. */
const helpFor = ({ command, words, help }: Intent): readonly string[] | undefined => {
  if (words[0] === 'help') return helpFor({ ...wordsOnly(words.slice(1)), help: true });
  if (!help && words.length > 0) return undefined;
  if (command) return commandHelp(command);
  const group = groupOf(words);
  if (group.length > 0) return groupHelp(group);
  return help ? overview(COMMANDS) : firstSteps();
};

const wordsOnly = (words: readonly string[]): Intent => intentOf(['--', ...words], COMMANDS);

const groupOf = ([word]: readonly string[]): readonly Command[] =>
  COMMANDS.filter(({ name, isHidden }) => !isHidden && firstOf(name) === word);

const firstOf = (name: string): string => name.split(' ')[0] ?? '';

const commandOf = ({ command, words }: Intent): Command => {
  if (command) return command;
  const group = groupOf(words);
  if (group.length > 0) {
    const more = group.map(({ name }) => name.split(' ').slice(1).join(' '));
    const near = words[1] === undefined ? undefined : nearest(words[1], more);
    throw usageFailure(
      `"${words[0]}" needs a subcommand: ${more.join(', ')}.`,
      near === undefined
        ? `npx --no-install hosted-mcp ${words[0]} --help tells what they do.`
        : `Did you mean npx --no-install hosted-mcp ${words[0]} ${near}? --help tells what they do.`,
    );
  }
  const near = nearest(words[0] ?? '', [
    ...new Set(COMMANDS.filter(({ isHidden }) => !isHidden).map(({ name }) => firstOf(name))),
  ]);
  throw usageFailure(
    `There is no command "${words[0]}".`,
    near === undefined
      ? 'npx --no-install hosted-mcp --help shows all commands.'
      : `Did you mean npx --no-install hosted-mcp ${near}? --help shows all commands.`,
  );
};
