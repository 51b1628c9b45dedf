import { AwsError } from '../wire/aws-error.ts';

/** Tokens of requests are remembered this long after the request was done. */
const VALID_MS = 10 * 60_000;

/**
 * Tokens are in memory only: a restart also ends every function that could repeat a request.
 * Source: Amazon DynamoDB API Reference, TransactWriteItems, `ClientRequestToken`. A cancelled request does not
 * count as completed, so that its repetition is tried again, but its token still belongs to it.
 */
export const openRequestTokens = () => {
  const requests = new Map<string, { request: string; completed: boolean; validUntil: number }>();

  /** Entries are in the order of their age, so the first valid one ends the search. */
  const forgetOld = (now: number) => {
    for (const [token, { validUntil }] of requests) {
      if (validUntil > now) return;
      requests.delete(token);
    }
  };
  return {
    /** Whether this very request was completed with the token. @throws AwsError if another request had the token */
    isCompleted: (token: string, request: string): boolean => {
      const now = Date.now();
      forgetOld(now);
      const known = requests.get(token);
      if (!known || known.validUntil <= now) return false;
      if (known.request !== request) throw parameterMismatch();
      return known.completed;
    },
    remember: (token: string, request: string, completed: boolean) => {
      requests.delete(token);
      requests.set(token, { request, completed, validUntil: Date.now() + VALID_MS });
    },
  };
};

const parameterMismatch = () =>
  new AwsError(
    'com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException',
    'The request was retried with a different payload but with an idempotent token that was already used.',
  );
