import { reasonPhrase } from '../../platform/rules/reason-phrase.ts';

/** A status in words: `HTTP 404 Not Found`. Source: RFC 9110 §15; RFC 6585. */
export const statusLine = (status: number): string =>
  ['HTTP', status, reasonPhrase(status)].filter((part) => part !== undefined).join(' ');
