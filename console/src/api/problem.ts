import { plain } from '../kit/plain-words.ts';

/** One thing that is wrong, and where: a JSON pointer into what was sent, or a line. */
export interface Finding {
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

/** Beside the API's own codes, those of what happens before it answers. */
export type ProblemCode = 'offline' | 'signed_out' | 'unreadable' | 'outdated' | (string & {});

/**
 * Why a call did not do what it was asked to: what the API has said, or that nothing was heard of it.
 * Source: RFC 9457; docs/decisions/management.md, "The management API".
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: ProblemCode;
  /** In words, for whoever reads the page. */
  readonly detail: string;
  readonly findings: readonly Finding[];
  /** The name of the limit that was reached. */
  readonly limit: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** For whoever operates the service to find it in the log. */
  readonly requestId: string | undefined;

  constructor(facts: {
    readonly status: number;
    readonly code: ProblemCode;
    readonly detail: string;
    readonly findings?: readonly Finding[];
    readonly limit?: string | undefined;
    readonly retryAfterSeconds?: number | undefined;
    readonly requestId?: string | undefined;
  }) {
    super(facts.detail);
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.findings = facts.findings ?? [];
    this.limit = facts.limit;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.requestId = facts.requestId;
  }
}

/** What an answer that is no good one says. */
export const problemIn = async (answer: Response): Promise<Problem> => {
  const said = await jsonIn(answer);
  const retryAfter = Number(answer.headers.get('retry-after') ?? 'none');
  return new Problem({
    status: answer.status,
    code: textIn(said, 'code') ?? 'unreadable',
    detail: plain(textIn(said, 'detail') ?? textIn(said, 'message') ?? wordsFor(answer.status)),
    findings: findingsIn(said),
    limit: textIn(said, 'limit'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    requestId: answer.headers.get('x-request-id') ?? undefined,
  });
};

/** Nothing was heard: whether the service has done anything is not known. */
export const notReached = (): Problem =>
  new Problem({
    status: 0,
    code: 'offline',
    detail: 'The service could not be reached. Look at your connection and try again.',
  });

/** Any error as a problem: what is none is a fault of this page. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem({
        status: 0,
        code: 'console_fault',
        detail: `The console has failed: ${error instanceof Error ? error.message : String(error)}`,
      });

/** Whether it is about a field, or about what is below it; `line` is a text's lines. */
export const isAt = ({ where }: Finding, field: string): boolean =>
  where === field || where.startsWith(`${field}/`) || where.startsWith(`${field} `);

/** What is wrong with one field, and with those below it. */
export const findingsAt = (problem: Problem | undefined, field: string): readonly Finding[] =>
  problem?.findings.filter((finding) => isAt(finding, field)) ?? [];

const jsonIn = async (answer: Response): Promise<unknown> => {
  try {
    return await answer.json();
  } catch {
    return undefined;
  }
};

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

const wordsFor = (status: number): string =>
  status >= 500
    ? 'The service has failed at this request. Nothing you typed is lost: try again in a moment.'
    : `The service has refused this request (${status}).`;
