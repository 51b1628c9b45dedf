/** One row: its title and a cell for each column. */
export type Row = readonly [string, ...(string | number)[]];

/** Prints a table with a title, columns aligned. */
export const printTable = (
  title: string,
  columns: readonly string[],
  rows: readonly Row[],
  notes: readonly string[] = [],
): void => {
  const cells = [['', ...columns], ...rows.map((row) => row.map(String))];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!),
      )
      .join('  ');
  const [head, ...body] = cells;
  console.log(`\n${title}`);
  console.log(`  ${line(head!)}`);
  for (const row of body) console.log(`  ${line(row)}`);
  for (const note of notes) console.log(`  ${note}`);
};

export const median = (values: readonly number[]): number => percentile(values, 50);

/** @param percent - 0 to 100; the nearest value that is there */
export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] ?? NaN;
};

export const ms = (milliseconds: number): string => `${milliseconds.toFixed(2)} ms`;
export const kb = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;
export const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
