import { STATUS_CODES } from 'node:http';

/** Those that have another name since RFC 9110 than Node gives them. */
const RENAMED: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** What a status is called; undefined for one that nobody has named. Source: RFC 9110 §15. */
export const reasonPhrase = (status: number): string | undefined =>
  RENAMED[status] ?? STATUS_CODES[status];
