import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Named } from './accounts.ts';
import type { Command, OptionFacts } from './command.ts';
import { usageFailure } from './failure.ts';
import { textOf } from './json.ts';
import { nearest } from './nearest.ts';
import { messageOf, sentence } from './text/words.ts';

export const GLOBAL_OPTIONS = {
  url: { value: 'URL', help: 'base URL of the service; otherwise that of the last login' },
  profile: {
    value: 'NAME',
    help: 'the service and session of this name; login --profile NAME --url URL makes one',
  },
  json: { help: 'print one JSON document and nothing else' },
  help: { help: 'show this' },
} as const satisfies Readonly<Record<string, OptionFacts>>;

const MANAGER_OPTION = {
  'override-manager': {
    help: 'change a server although a declaration manages it; the next apply undoes that',
  },
} as const satisfies Readonly<Record<string, OptionFacts>>;

export const optionsOf = (
  command: Pick<Command, 'options' | 'changesManaged'>,
): Readonly<Record<string, OptionFacts>> => ({
  ...command.options,
  ...(command.changesManaged && MANAGER_OPTION),
  ...GLOBAL_OPTIONS,
});

export interface Line {
  readonly command: Command;
  readonly places: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly named: Named;
  /** Whether to change a server that a declaration manages. */
  readonly overridesManager: boolean;
}

/** Parts of a command line that may still be incomplete. */
export interface Intent {
  readonly command: Command | undefined;
  /** All words that are no options, the command's own included. */
  readonly words: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
  readonly named: Named;
}

const LONG: Readonly<Record<string, string>> = { '-h': '--help', '-v': '--version' };

/** `-h` and `-v` become `--help` and `--version`, but not behind `--`. */
export const withLongOptions = (args: readonly string[]): readonly string[] => {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, at) => (at < end && Object.hasOwn(LONG, arg) ? (LONG[arg] ?? arg) : arg));
};

/** Any line is read as far as possible, so that help and errors come in the wanted form. */
export const intentOf = (args: readonly string[], commands: readonly Command[]): Intent => {
  // Every command's options are known here: otherwise an option's value could be taken for a word.
  const options = Object.assign({}, ...commands.map(optionsOf));
  const { positionals: words, values } = parseArgs({
    args: [...args],
    options: configOf(options),
    allowPositionals: true,
    strict: false,
  });
  return {
    command: commandOf(words, commands),
    words,
    json: values.json === true,
    help: values.help === true,
    named: namedIn(values),
  };
};

const namedIn = ({ url, profile }: Readonly<Record<string, unknown>>): Named => ({
  url: textOf(url),
  profile: textOf(profile),
});

/** Commands in a text get the program as this person starts it, and the --url and --profile of this line. */
export const againWith = (
  { named: { url, profile } }: Intent,
  commands: readonly Command[],
  program: string,
): ((text: string) => string) => {
  const typed =
    (profile === undefined ? '' : ` --profile ${profile}`) +
    (url === undefined ? '' : ` --url ${url}`);
  const names = commands
    .filter(({ isLocal }) => !isLocal)
    .map(({ name }) => name)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    const [before = '', ...rests] = text.split(PROGRAM);
    const again = rests.map((rest) => {
      const words = rest.split(/[^a-z-]/, 2).join(' ');
      const name = names.find((one) => words === one || words.split(' ')[0] === one);
      const isWhole = rest.slice(name?.length).startsWith(' --profile ');
      return name === undefined || isWhole ? rest : name + typed + rest.slice(name.length);
    });
    return [before, ...again].join(`${program} `);
  };
};

export const PROGRAM = 'npx --no-install hosted-mcp ';

/** @throws Failure usage for the first thing that is wrong */
export const lineOf = (args: readonly string[], command: Command): Line => {
  const { values, positionals } = parse(args, command);
  const given = positionals.slice(command.name.split(' ').length);
  const { url, profile, json: _, help: __, 'override-manager': overrides, ...own } = values;
  return {
    command,
    places: placesOf(command, given),
    values: { ...defaultsOf(command), ...own },
    named: namedIn({ url, profile }),
    overridesManager: overrides === true,
  };
};

const commandOf = (words: readonly string[], commands: readonly Command[]): Command | undefined =>
  [words.slice(0, 2).join(' '), words[0]]
    .map((name) => commands.find((one) => one.name === name))
    .find((found) => found !== undefined);

const parse = (args: readonly string[], command: Command) => {
  const options = configOf(optionsOf(command));
  const words = command.name.split(' ').length;
  const places = command.places.filter(isRequired).length;
  try {
    return parseArgs({
      args: [...placeLeadingDashes(args, { options, words, places })],
      options,
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const [what = '', ...more] = messageOf(error).split(/\. To specify|\n/);
    const isDash = more.some((line) => line.includes('starting with a dash'));
    throw usageFailure(
      sentence(what),
      isDash
        ? 'A value that begins with a dash is written --option=-value.'
        : nearOption(what, Object.keys(options)) + helpHint(command),
    );
  }
};

const nearOption = (what: string, known: readonly string[]): string => {
  const [, typed] = /^Unknown option '--([^'=]+)/.exec(what) ?? [];
  const near = typed === undefined ? undefined : nearest(typed, known);
  return near === undefined ? '' : `Did you mean --${near}? `;
};

const isRequired = (place: string): boolean => !/[?*]$/.test(place);

const configOf = (
  options: Readonly<Record<string, OptionFacts>>,
): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple = false }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple },
    ]),
  );

const placesOf = (
  command: Command,
  given: readonly string[],
): Readonly<Record<string, string | readonly string[] | undefined>> => {
  const { places } = command;
  const missing = places.find((place, at) => isRequired(place) && given[at] === undefined);
  if (missing !== undefined) throw usageFailure(`The ${missing} is missing.`, helpHint(command));
  const takesMore = places.at(-1)?.endsWith('*') === true;
  const stray = takesMore ? undefined : given[places.length];
  if (stray !== undefined) {
    const meant = 'file' in command.options ? `Did you mean --file ${stray}? ` : '';
    throw usageFailure(`Unexpected argument "${stray}".`, meant + helpHint(command));
  }
  return Object.fromEntries(
    places.map((place, at) => [
      place.replace(/[?*]$/, ''),
      place.endsWith('*') ? given.slice(at) : given[at],
    ]),
  );
};

const defaultsOf = ({ options }: Command): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple }]) => [
      name,
      multiple ? [] : value === undefined ? false : undefined,
    ]),
  );

const helpHint = ({ name }: Command): string => `See npx --no-install hosted-mcp ${name} --help`;

interface Expected {
  readonly options: NonNullable<ParseArgsConfig['options']>;
  readonly words: number;
  /** Number of required places. */
  readonly places: number;
}

/**
 * Tokens and names from outside may begin with a dash: if required places are missing and there is no such option,
 * they move behind `--`.
 * @returns the line unchanged if it has more unknown options than open places
 */
const placeLeadingDashes = (
  args: readonly string[],
  { options, words, places }: Expected,
): readonly string[] => {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals = tokens.filter(({ kind }) => kind === 'positional').map(({ index }) => index);
  const unknown = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && !Object.hasOwn(options, token.name) ? [token.index] : [],
    ),
  );
  const nameEnd = positionals[words - 1] ?? Number.POSITIVE_INFINITY;
  const open = places - (positionals.length - words);
  const isPlaced = [...unknown].every((index) => index > nameEnd) && unknown.size <= open;
  if (unknown.size === 0 || !isPlaced) return args;

  const placed = [...positionals, ...unknown].toSorted((one, other) => one - other);
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index;
  const others = args.filter((_, index) => index !== end && !placed.includes(index));
  return [...others, '--', ...placed.map((index) => args[index] ?? '')];
};
