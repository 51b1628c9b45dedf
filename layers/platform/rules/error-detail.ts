import { Fault, type Neighbour } from './fault.ts';

/** Log fields for an error that is no refusal: a neighbour's failure, or a bug. */
export type ErrorDetail =
  | {
      readonly outcome: 'fault';
      readonly detail: {
        readonly neighbour: Neighbour;
        /** Neighbour, colon, name of its error. */
        readonly fault: string;
        readonly cause: string;
      };
    }
  | {
      readonly outcome: 'bug';
      readonly detail: { readonly error: string; readonly at: readonly string[] };
    };

/** Omits messages of others' errors, which may quote data of clients or targets. */
export const errorDetail = (error: unknown): ErrorDetail =>
  error instanceof Fault
    ? {
        outcome: 'fault',
        detail: { neighbour: error.neighbour, fault: error.message, cause: errorName(error.cause) },
      }
    : { outcome: 'bug', detail: { error: errorName(error), at: framesOf(error) } };

const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Stack frames without the message, which in parsers' errors quotes the input. */
const framesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? (error.stack ?? '').split('\n').flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? [])
    : [];
