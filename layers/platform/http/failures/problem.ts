import { reasonPhrase } from '../../rules/reason-phrase.ts';
import type { Finding } from '../../rules/refusal/api-refusal.ts';
import { apiReply, type Headers, type HttpReply } from '../reply.ts';

export interface ProblemExtras {
  readonly headers?: Headers;
  readonly findings?: readonly Finding[];
  /** The name of the limit that was reached. */
  readonly limit?: string;
  /** The page where to sign in instead. */
  readonly sign_in_at?: string;
}

/**
 * An error of the management API, known by its code. With the type `about:blank`, its title says what
 * the status says.
 *
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
