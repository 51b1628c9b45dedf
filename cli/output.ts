import type { Failure, Finding } from './failure.ts';
import { plain, plainJson } from './text/plain.ts';
import { type Columns, table } from './text/table.ts';
import { otherPlaces, sentence } from './text/words.ts';
import type { Screen, World } from './world.ts';

/** SGR codes to begin and end a style. Source: ECMA-48, "SGR - Select Graphic Rendition". */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
} as const;

type Style = keyof typeof STYLES;

/** Applies a style on a terminal; files, pipes and NO_COLOR get plain text. */
export type Paint = (style: Style, text: string) => string;

/** Source: no-color.org. */
export const paintFor = (screen: Screen, environment: World['environment']): Paint => {
  const plainWanted = environment['NO_COLOR'] || environment['TERM'] === 'dumb';
  return screen.isTTY && !plainWanted
    ? (style, text) => styled(text, STYLES[style])
    : (_, text) => text;
};

const styled = (text: string, [begin, end]: readonly [number, number]): string =>
  `\u001B[${begin}m${text}\u001B[${end}m`;

/** Progress, advice and errors go to standard error. With `--json` exactly one JSON document is printed. */
export interface Output {
  /** Prints the result as JSON, or as these lines, which are safe to show. */
  result(value: unknown, lines: readonly string[]): void;
  /** Prints lines of a result that comes bit by bit; its JSON comes whole, at the end. */
  part(lines: readonly string[]): void;
  /** Prints a list; as JSON an object with the rows as `items`, unless `value` is given. */
  rows<Row>(rows: readonly Row[], columns: Columns<Row>, empty: string, value?: unknown): void;
  /** Progress or advice, for people only. */
  note(text: string): void;
  /** Completes commands in advice with the --url and --profile typed now. */
  again(lines: readonly string[]): readonly string[];
  warnings(findings: readonly Finding[]): void;
  failure(failure: Failure): void;
  readonly paint: Paint;
  readonly isJson: boolean;
}

export const outputTo = (
  { stdout, stderr, environment }: Pick<World, 'stdout' | 'stderr' | 'environment'>,
  json: boolean,
  again: (text: string) => string = (text) => text,
): Output => {
  const paint = paintFor(stdout, environment);
  const paintNote = paintFor(stderr, environment);
  const print = (screen: Screen, lines: readonly string[]) => {
    if (lines.length > 0) screen.write(`${lines.join('\n')}\n`);
  };
  const note: Output['note'] = (text) => {
    if (!json) print(stderr, [again(text).split('\n').map(plain).join('\n')]);
  };
  const result: Output['result'] = (value, lines) =>
    print(stdout, json ? [plainJson(value)] : lines);

  return {
    paint,
    isJson: json,
    result,
    part: (lines) => {
      if (!json) print(stdout, lines);
    },
    rows: (rows, columns, empty, value = { items: rows }) => {
      if (rows.length === 0) note(empty);
      const [titles = '', ...lines] = table(rows, columns);
      result(value, rows.length === 0 ? [] : [paint('bold', titles), ...lines]);
    },
    note,
    again: (lines) => lines.map(again),
    warnings: (findings) => {
      if (json || findings.length === 0) return;
      const told = onceEach(findings);
      const title = told.length === 1 ? '1 warning:' : `${told.length} warnings:`;
      print(stderr, [paintNote('yellow', title), ...told.map(findingLine)]);
    },
    failure: ({ code, message, details }) => {
      const { findings = [], status, done } = details;
      const hint = details.hint === undefined ? undefined : again(details.hint);
      if (json) {
        const error = { code, message, status, findings, hint };
        return print(stdout, [plainJson({ ...done, error })]);
      }
      print(stderr, [
        `${paintNote('red', 'hosted-mcp:')} ${plain(message)}`,
        ...findings.map(findingLine),
        ...(hint === undefined ? [] : [plain(hint)]),
      ]);
    },
  };
};

/** Findings with the same text become one, with the first place. */
const onceEach = (findings: readonly Finding[]): readonly Finding[] =>
  [...Map.groupBy(findings, ({ what, hint }) => `${what}\n${hint}`).values()].flatMap(
    ([first, ...others]) => {
      if (!first || others.length === 0) return first ?? [];
      return { ...first, where: otherPlaces(first.where, others.length) };
    },
  );

export const findingLine = ({ where, what, hint }: Finding): string =>
  plain(`  ${where === '' ? '' : `at ${where}: `}${sentence(what)} ${hint}`).trimEnd();
