import { STATUS_CODES } from 'node:http';

/** Phrases of RFC 9110 that differ from Node's. */
const RENAMED: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** Undefined for unregistered statuses. Source: RFC 9110 §15. */
export const reasonPhrase = (status: number): string | undefined =>
  RENAMED[status] ?? STATUS_CODES[status];

/** Such as `HTTP 404 Not Found`. Source: RFC 9110 §15; RFC 6585. */
export const statusLine = (status: number): string =>
  ['HTTP', status, reasonPhrase(status)].filter((part) => part !== undefined).join(' ');
