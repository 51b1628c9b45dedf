import { reasonPhrase } from '../../rules/reason-phrase.ts';
import type { Finding } from '../../rules/refusal/api-refusal.ts';
import { apiReply, type Headers, type HttpReply } from '../reply.ts';

export interface ProblemExtras {
  readonly headers?: Headers;
  readonly findings?: readonly Finding[];
  readonly limit?: string;
  readonly sign_in_at?: string;
}

/**
 * Problem document of the management API; clients distinguish errors by `code`. For the type `about:blank` the title is
 * the status's reason phrase.
 * Source: RFC 9457 §3, §4.2.1.
 */
export const problem = (
  status: number,
  code: string,
  detail: string,
  { headers = {}, ...extras }: ProblemExtras = {},
): HttpReply =>
  apiReply(
    status,
    {
      type: 'about:blank',
      title: reasonPhrase(status) ?? 'Error',
      status,
      code,
      detail,
      ...extras,
    },
    { ...headers, 'content-type': 'application/problem+json' },
  );
