import { type Command, command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { optionsOf } from '../parse.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** @param all - the commands, this one included */
export const completionCommand = (all: () => readonly Command[]): Command =>
  command({
    name: 'completion',
    summary: 'Prints what makes a shell complete commands, options and names',
    places: ['shell'],
    isLocal: true,
    details: [
      'For bash, zsh or fish. In bash and zsh, in this shell and at its start:',
      '  eval "$(npx --no-install hosted-mcp completion bash)"',
      'In fish: npx --no-install hosted-mcp completion fish > ~/.config/fish/completions/hosted-mcp.fish',
      'It completes hosted-mcp, and npx --no-install hosted-mcp in bash and zsh.',
      'Names of servers, tools, versions and credentials are asked of the service, for a second at most.',
    ],
    run: async ({ output }, { shell }) => {
      const shown = all().filter(({ isHidden }) => !isHidden);
      const script = scriptFor(shell, shown);
      output.result({ shell, script: script.join('\n') }, script);
    },
  });

const scriptFor = (shell: string, all: readonly Command[]): readonly string[] => {
  switch (shell) {
    case 'bash':
      return bash(all);
    case 'zsh':
      return ['autoload -U +X bashcompinit && bashcompinit', ...bash(all)];
    case 'fish':
      return fish(all);
    default:
      throw usageFailure(`The shell must be one of ${SHELLS.join(', ')}, not "${shell}".`);
  }
};

const optionNames = (one: Command): readonly string[] =>
  Object.keys(optionsOf(one)).map((name) => `--${name}`);

const firstWords = (all: readonly Command[]): readonly string[] => [
  ...new Set([...all.map(({ name }) => name.split(' ')[0] ?? ''), 'help']),
];

export const secondWords = (all: readonly Command[], first: string): readonly string[] =>
  all.flatMap(({ name }) => {
    const [group, word] = name.split(' ');
    return group === first && word !== undefined ? [word] : [];
  });

/** Bash completes by the words before the cursor without options, first those of the command. */
const bash = (all: readonly Command[]): readonly string[] => [
  '_hosted_mcp() {',
  '  local word="${COMP_WORDS[COMP_CWORD]}" words=() i from=1',
  '  if [[ "${COMP_WORDS[0]##*/}" == npx ]]; then',
  '    [[ "${COMP_WORDS[1]}" == --no-install ]] && from=2',
  '    [[ "${COMP_WORDS[from]}" == hosted-mcp ]] || return',
  '    ((from++))',
  '  fi',
  '  for ((i = from; i < COMP_CWORD; i++)); do',
  '    [[ "${COMP_WORDS[i]}" == -* ]] || words+=("${COMP_WORDS[i]}")',
  '  done',
  '  local found=',
  '  if [[ "$word" == -* ]]; then',
  '    case "${words[0]} ${words[1]}" in',
  // Names of two words come first: a pattern for one word matches any second word.
  ...all
    .toSorted((one, other) => other.name.split(' ').length - one.name.split(' ').length)
    .map((one) => {
      const pattern = one.name.includes(' ') ? `"${one.name}"` : `"${one.name} "*`;
      return `      ${pattern}) found="${optionNames(one).join(' ')}" ;;`;
    }),
  '    esac',
  '  elif ((${#words[@]} == 0)); then',
  `    found="${firstWords(all).join(' ')}"`,
  '  elif ((${#words[@]} == 1)); then',
  '    case "${words[0]}" in',
  ...firstWords(all)
    .map((first) => [first, secondWords(all, first)] as const)
    // A word that is a command by itself may also be followed by names.
    .filter(([first, second]) => second.length > 0 && !all.some(({ name }) => name === first))
    .map(([first, second]) => `      ${first}) found="${second.join(' ')}" ;;`),
  '    esac',
  '  fi',
  // Names that only the service knows, asked through the program that this line begins with.
  '  if [[ -z "$found" && "$word" != -* ]] && ((${#words[@]} > 0)); then',
  '    found="$("${COMP_WORDS[@]:0:from}" complete -- "${COMP_WORDS[@]:from:COMP_CWORD-from}" "$word" 2>/dev/null)"',
  '  fi',
  '  COMPREPLY=($(compgen -W "$found" -- "$word"))',
  '}',
  'complete -o default -F _hosted_mcp hosted-mcp npx',
];

const fish = (all: readonly Command[]): readonly string[] => [
  ...firstWords(all).map(
    (first) =>
      `complete -c hosted-mcp -n __fish_use_subcommand -a ${first} -d ${quoted(summaryOf(all, first))}`,
  ),
  `complete -c hosted-mcp -n 'not __fish_use_subcommand' -a '(hosted-mcp complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
  ...all.flatMap((one) => {
    const [first = '', second] = one.name.split(' ');
    const seen = `'__fish_seen_subcommand_from ${first}'`;
    const here =
      second === undefined
        ? seen
        : `'__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}'`;
    return [
      ...(second === undefined
        ? []
        : [`complete -c hosted-mcp -n ${seen} -a ${second} -d ${quoted(one.summary)}`]),
      ...Object.entries(optionsOf(one)).map(
        ([name, { help }]) => `complete -c hosted-mcp -n ${here} -l ${name} -d ${quoted(help)}`,
      ),
    ];
  }),
];

const summaryOf = (all: readonly Command[], first: string): string =>
  all.find(({ name }) => name === first)?.summary ?? '';

/** Quotes for fish, where only these two characters are special between single quotes. */
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
