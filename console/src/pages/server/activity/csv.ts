import type { ListedCall } from './series.ts';

const COLUMNS = [
  'at',
  'tool',
  'version',
  'outcome',
  'status',
  'reason',
  'duration_ms',
  'email',
  'subject',
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

/** A text that begins like a formula would be worked out by the spreadsheet: an apostrophe keeps it text. */
const cell = (text: string): string => {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};
