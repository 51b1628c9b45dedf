import { parseArgs, type ParseArgsConfig } from 'node:util';

/** What a command takes of a line. */
export interface Expected {
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Words of its name. */
  readonly words: number;
  /** How many more there must be. */
  readonly places: number;
}

/**
 * Tokens and names from outside may begin with a dash. Where a place of the command is open, what begins
 * with a dash and is no option of it is taken for what is missing there.
 *
 * @returns the line with such arguments behind a `--`; as it was where it has an option too many
 */
export const placeLeadingDashes = (
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
