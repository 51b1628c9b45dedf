import type { ListedCall } from './series.ts';

const COLUMNS = [
  'at',
  'tool',
  'version',
  'outcome',
  'trial',
  'without_tool',
  'status',
  'reason',
  'duration_ms',
  'answer_tokens',
  'email',
  'subject',
  'client_name',
  'client_id',
  'grant_id',
  'token_id',
  'ip',
  'request_id',
  'index',
] as const satisfies readonly (keyof ListedCall)[];

/** The calls as a table that spreadsheets open. Source: RFC 4180. */
export const csvOf = (calls: readonly ListedCall[]): string =>
  [COLUMNS, ...calls.map((call) => COLUMNS.map((column) => call[column] ?? ''))]
    .map((row) => row.map((value) => cell(String(value))).join(','))
    .join('\r\n')
    .concat('\r\n');

/**
 * Where a cell begins like a formula, in ASCII or full width. Where commas stand in numbers, spreadsheets begin
 * one at a semicolon, and at a line that they take for the next row, whatever stands in quotation marks.
 */
const FORMULA = /(^|[;\r\n])(?=[=+\-@\t\r\uff0b\uff0d\uff1d\uff20])/g;

/** A text that begins like a formula would be worked out by the spreadsheet: an apostrophe keeps it text. */
const cell = (text: string): string => {
  const plain = text.replaceAll(FORMULA, "$1'");
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};
