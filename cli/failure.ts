import { type Json, listOf, stringOf } from './json.ts';

/** Exit codes, on which scripts rely. */
export const EXIT = {
  ok: 0,
  /** The service refused, or a tool or a check failed. */
  refused: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  /** Nobody answered, or something else than the service. */
  unreachable: 5,
  /** What is declared is not what is deployed. */
  differs: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Finding {
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

export const findingsOf = (listed: unknown): readonly Finding[] =>
  listOf(listed).map(({ where, what, hint }) => ({
    where: stringOf(where),
    what: stringOf(what),
    hint: stringOf(hint),
  }));

export interface FailureDetails {
  readonly findings?: readonly Finding[];
  readonly hint?: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
  /** Work done before the failure: further members of the JSON output. */
  readonly done?: Json;
}

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  /** Error code of the service, or of this program. */
  readonly code: string;
  readonly details: FailureDetails;

  constructor(exitCode: ExitCode, code: string, message: string, details: FailureDetails = {}) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.details = details;
  }
}

/** The command line is invalid, or asks for the impossible. */
export const usageFailure = (message: string, hint?: string): Failure =>
  new Failure(EXIT.usage, 'usage', message, hint === undefined ? {} : { hint });
