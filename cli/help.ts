import type { Command, OptionFacts } from './command.ts';
import { GLOBAL_OPTIONS, optionsOf } from './parse.ts';

const GROUPS: Readonly<Record<string, string>> = {
  'Your account': 'signup verify resend login logout password usage account personal-token trust',
  Servers:
    'open check diff deploy dev set gallery networks ls show pause resume versions openapi server-json rollback rm',
  'Servers in a file': 'plan apply export validate release',
  'Tools, resources and prompts': 'tools tool call resource prompt',
  'Credentials and access': 'invite credential token issuer grants',
  'Connecting and monitoring': 'config doctor smoke logs problems recording replay cases eval',
  'This program': 'profile completion',
  'Operating a service (by IAM, without a login)': 'admin',
};

const EXIT_CODES =
  'Exit codes: 0 done, 1 refused or failed, 2 wrong command line, 3 not signed in, 4 not found, 5 cannot reach the service, 6 the declaration differs.';

/** Help that is shown without a command: the way to a first deployment. */
export const firstSteps = (): readonly string[] => [
  'The command line of Hosted MCP: turns REST APIs into MCP servers.',
  '',
  'usage: npx --no-install hosted-mcp COMMAND [options]',
  '',
  ...[
    ['signup EMAIL, login EMAIL', 'Your account'],
    ['check FILE-OR-URL', 'Previews a description'],
    ['deploy FILE-OR-URL', 'Publishes it as an MCP server'],
    ['credential set SLUG', 'Credential for the API, if it needs one'],
    ['config SLUG', 'How clients connect'],
    ['ls, show SLUG, logs SLUG', 'Your servers, and their activity'],
  ].flatMap(([left = '', right = '']) => entry(left, right)),
  '',
  'npx --no-install hosted-mcp --help shows all commands, COMMAND --help one of them.',
];

export const overview = (commands: readonly Command[]): readonly string[] => [
  'The command line of Hosted MCP: turns REST APIs into MCP servers.',
  '',
  'usage: npx --no-install hosted-mcp COMMAND [options]',
  ...Object.entries(GROUPS).flatMap(([title, words]) => [
    '',
    title,
    ...inGroup(words.split(' '), commands).flatMap((one) => entry(usageOf(one), one.summary)),
  ]),
  '',
  'With every command',
  ...optionLines(GLOBAL_OPTIONS),
  '',
  'npx --no-install hosted-mcp COMMAND --help says more about each. You type passwords and credentials, or they are read',
  'from standard input where an option says so; they are never part of a command line.',
  EXIT_CODES,
];

export const groupHelp = (commands: readonly Command[]): readonly string[] =>
  commands.flatMap((one) => entry(usageOf(one), one.summary));

export const commandHelp = (command: Command): readonly string[] => [
  `${command.summary}.`,
  '',
  `usage: npx --no-install hosted-mcp ${usageOf(command)}${Object.keys(command.options).length > 0 ? ' [options]' : ''}`,
  '',
  ...optionLines(optionsOf(command)),
  ...(command.details ? ['', ...command.details] : []),
];

const inGroup = (words: readonly string[], commands: readonly Command[]): readonly Command[] =>
  words.flatMap((word) => commands.filter(({ name }) => name.split(' ')[0] === word));

/** `call SLUG TOOL`, `signup [EMAIL]` */
const usageOf = ({ name, places }: Command): string => [name, ...places.map(placeText)].join(' ');

const placeText = (place: string): string => {
  const name = place.replace(/[?*]$/, '').replaceAll(' ', '_').toUpperCase();
  if (place.endsWith('*')) return `[${name} ...]`;
  return place.endsWith('?') ? `[${name}]` : name;
};

const optionLines = (options: Readonly<Record<string, OptionFacts>>): readonly string[] =>
  Object.entries(options).flatMap(([name, { value, multiple, help }]) =>
    entry(
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      `${help}${multiple ? '; may be repeated' : ''}`,
    ),
  );

const COLUMN = 34;

const entry = (left: string, right: string): readonly string[] =>
  left.length + 2 > COLUMN
    ? [`  ${left}`, `  ${' '.repeat(COLUMN)}${right}`]
    : [`  ${left.padEnd(COLUMN)}${right}`];
