import type { Finding } from '../domain/refusal.ts';
import { apiReply, type Headers, type HttpReply } from './reply.ts';

/** What some problems say besides. */
export interface ProblemExtras {
  readonly headers?: Headers;
  readonly findings?: readonly Finding[];
  /** The name of the limit that was reached. */
  readonly limit?: string;
}

/** An error of the management API, known by its code. Source: RFC 9457 §3; management-api.md. */
export const problem = (
  status: number,
  code: string,
  detail: string,
  { headers = {}, ...extras }: ProblemExtras = {},
): HttpReply =>
  apiReply(
    status,
    { type: 'about:blank', title: TITLES[status] ?? 'Error', status, code, detail, ...extras },
    { ...headers, 'content-type': 'application/problem+json' },
  );

/** With the type `about:blank`, a title says what the status says. Source: RFC 9457 §4.2.1. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
