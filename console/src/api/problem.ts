import { plain } from '../kit/plain-words.ts';

/** Something that is wrong. `where` is a JSON pointer into the request, or a line of a text. */
export interface Finding {
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

export type ProblemCode = 'offline' | 'signed_out' | 'unreadable' | 'outdated' | (string & {});

/** Why a call failed. Source: RFC 9457; docs/decisions/management.md, "The management API". */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly findings: readonly Finding[];
  readonly limit: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The page where this person has to sign in instead. */
  readonly signInAt: string | undefined;
  readonly requestId: string | undefined;

  constructor(
    facts: Pick<Problem, 'code' | 'detail' | 'status'> &
      Partial<Pick<Problem, 'findings' | 'limit' | 'requestId' | 'retryAfterSeconds' | 'signInAt'>>,
  ) {
    super(facts.detail);
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.findings = facts.findings ?? [];
    this.limit = facts.limit;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.signInAt = facts.signInAt;
    this.requestId = facts.requestId;
  }
}

export const problemIn = async (answer: Response): Promise<Problem> => {
  const said: unknown = await answer.json().catch(() => undefined);
  const retryAfter = Number(answer.headers.get('retry-after') ?? 'none');
  return new Problem({
    status: answer.status,
    code: textIn(said, 'code') ?? 'unreadable',
    detail: plain(textIn(said, 'detail') ?? wordsFor(answer.status)),
    findings: findingsIn(said),
    limit: textIn(said, 'limit'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    signInAt: textIn(said, 'sign_in_at'),
    requestId: answer.headers.get('x-request-id') ?? undefined,
  });
};

/** No answer came, so nobody knows whether the service has done anything. */
export const notReached = (): Problem =>
  new Problem({
    status: 0,
    code: 'offline',
    detail: 'The service could not be reached. Look at your connection and try again.',
  });

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem({
        status: 0,
        code: 'console_fault',
        detail: `The console has failed: ${error instanceof Error ? error.message : String(error)}`,
      });

/** Whether a finding concerns a field or a member of it; field `line` stands for lines of a text. */
export const isAt = ({ where }: Finding, field: string): boolean =>
  where === field || where.startsWith(`${field}/`) || where.startsWith(`${field} `);

export const findingsAt = (problem: Problem | undefined, field: string): readonly Finding[] =>
  problem?.findings.filter((finding) => isAt(finding, field)) ?? [];

const textIn = (value: unknown, name: string): string | undefined => {
  const text =
    typeof value === 'object' && value !== null && (value as Record<string, unknown>)[name];
  return typeof text === 'string' ? text : undefined;
};

const findingsIn = (value: unknown): readonly Finding[] => {
  const list =
    typeof value === 'object' && value !== null && (value as Record<string, unknown>)['findings'];
  return Array.isArray(list)
    ? list.map((one: unknown) => ({
        where: textIn(one, 'where') ?? '',
        what: textIn(one, 'what') ?? '',
        hint: textIn(one, 'hint') ?? '',
      }))
    : [];
};

/**
 * Whether a page came in place of an answer, as of a proxy or of the sign-in to a network. The service sends none
 * to scripts.
 */
export const isPage = (answer: Response): boolean =>
  (answer.headers.get('content-type') ?? '').startsWith('text/html');

/** For answers without words of the service, as those of a gateway before it. */
const wordsFor = (status: number): string => {
  if (status < 400) {
    return 'Something else answered in place of the service, such as a proxy, or the sign-in page of your network. Load this page again.';
  }
  if (status >= 500) {
    return 'The service has failed at this request. Nothing you typed is lost: try again in a moment.';
  }
  if (status === 429) {
    return 'The service gets too many requests at the moment. Wait a few seconds, then try again.';
  }
  if (status === 413) {
    return 'This is more than the service takes at once. Leave out what is not needed, then try again.';
  }
  return `The service has refused this request (${status}). If it does so again, ask its operator.`;
};
