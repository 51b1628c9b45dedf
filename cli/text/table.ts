import { plain } from './plain.ts';

/** Columns by title: a member of the row, or a function of it. */
export type Columns<Row> = Readonly<Record<string, keyof Row | ((row: Row) => unknown)>>;

const GAP = '  ';

/** Columns are as wide as their widest cell: nothing is cut, terminals wrap. */
export const table = <Row>(rows: readonly Row[], columns: Columns<Row>): readonly string[] => {
  const titles = Object.keys(columns).map((title) => title.toUpperCase());
  const cells = rows.map((row) =>
    Object.values(columns).map((read) => cell(typeof read === 'function' ? read(row) : row[read])),
  );
  const widths = titles.map((title, at) =>
    Math.max(...[title, ...cells.map((line) => line[at] ?? '')].map(lengthOf)),
  );
  return [titles, ...cells].map((line) => {
    const padded = line.map((text, at) => padTo(text, widths[at] ?? 0));
    return padded.join(GAP).trimEnd();
  });
};

/** Lines of names with values; undefined values are left out. */
export const facts = (pairs: Readonly<Record<string, unknown>>): readonly string[] => {
  const given = Object.entries(pairs).filter(([, value]) => value !== undefined);
  const width = Math.max(...given.map(([name]) => name.length));
  return given.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`);
};

export const cell = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(', ');
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

const lengthOf = (text: string): number => [...text].length;

const padTo = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - lengthOf(text)));
