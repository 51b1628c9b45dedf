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

/** Writes calls as CSV, which spreadsheets open. Source: RFC 4180. */
export const csvOf = (calls: readonly ListedCall[]): string =>
  [COLUMNS, ...calls.map((call) => COLUMNS.map((column) => call[column] ?? ''))]
    .map((row) => row.map((value) => cell(String(value))).join(','))
    .join('\r\n')
    .concat('\r\n');

/** Places where spreadsheets begin a formula: with decimal commas, also after `;` or a line break, even in quotes. */
const FORMULA = /(^|[;\r\n])(?=[=+\-@\t\r\uff0b\uff0d\uff1d\uff20])/g;

/** Writes one cell. An apostrophe before a formula keeps spreadsheets from running it (CSV injection). */
const cell = (text: string): string => {
  const plain = text.replaceAll(FORMULA, "$1'");
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};
