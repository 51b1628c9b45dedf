import { Fault, type Neighbour } from './fault.ts';

/** What the log says of an error that is no rule's: a neighbour that failed, or a bug. */
export type ErrorDetail =
  | {
      readonly outcome: 'fault';
      readonly detail: {
        readonly neighbour: Neighbour;
        /** Neighbour, colon, and the name of its error. */
        readonly fault: string;
        readonly cause: string;
      };
    }
  | {
      readonly outcome: 'bug';
      readonly detail: { readonly error: string; readonly at: readonly string[] };
    };

/** Without a message of others, which may quote what a client or a target has sent. */
export const errorDetail = (error: unknown): ErrorDetail =>
  error instanceof Fault
    ? {
        outcome: 'fault',
        detail: { neighbour: error.neighbour, fault: error.message, cause: errorName(error.cause) },
      }
    : { outcome: 'bug', detail: { error: errorName(error), at: framesOf(error) } };

const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Where it happened, without the message: messages of parsers quote what they read. */
const framesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? (error.stack ?? '').split('\n').flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? [])
    : [];
