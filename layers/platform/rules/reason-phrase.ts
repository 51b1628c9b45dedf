import { STATUS_CODES } from 'node:http';

/** Those that have another name since RFC 9110 than Node gives them. */
const RENAMED: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** What a status is called; undefined for one that nobody has named. Source: RFC 9110 §15. */
export const reasonPhrase = (status: number): string | undefined =>
  RENAMED[status] ?? STATUS_CODES[status];

/** A status in words: `HTTP 404 Not Found`. Source: RFC 9110 §15; RFC 6585. */
export const statusLine = (status: number): string =>
  ['HTTP', status, reasonPhrase(status)].filter((part) => part !== undefined).join(' ');
