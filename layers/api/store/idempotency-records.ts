import type { UnderWay } from '../../limits/rules/seconds-to-wait.ts';
import { exactly } from '../../platform/rules/shape.ts';
import { DAY, type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { StoredReply } from '../../tools/answer/stored-reply.ts';
import { idempotencyKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, assigning, expiring, itemsOf } from '../../platform/dynamodb/items.ts';

/** Bytes of a stored answer; the rest of the item is small, and DynamoDB allows 400 KB. */
const MOST_KEPT_BYTES = 350 * 1024;
/** By then the function that began a request has ended. */
const ABANDONED_SECONDS = MINUTE;

const Answer = exactly<StoredReply>()(
  z.object({
    statusCode: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    isBase64Encoded: z.boolean(),
  }),
);

const Item = z.object({
  requestHash: z.string(),
  attempt: z.string().check(z.minLength(1)),
  begunAt: z.int(),
  expiresAt: z.int(),
  answer: z.exactOptional(Answer),
});

/** One item per user and key. */
export const dynamoIdempotencyRecords = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): IdempotencyRecords => {
  const items = itemsOf(dynamo, TableName, idempotencyKey, Item);

  const begin: IdempotencyRecords['begin'] = async (request, attempt, now) => {
    const found = await items.find(request);
    const known = found && now < found.expiresAt ? found : undefined;
    if (known && known.requestHash !== request.requestHash) return { state: 'another_request' };
    if (known?.answer) return { state: 'answered', answer: known.answer };
    const underWay = (begunAt: EpochSeconds) =>
      ({ state: 'under_way', begunAt, until: begunAt + ABANDONED_SECONDS }) as const;
    if (known && now < known.begunAt + ABANDONED_SECONDS) return underWay(known.begunAt);

    const name = known?.attempt ?? attempt;
    const began = await items.put(
      request,
      expiring({
        requestHash: request.requestHash,
        attempt: name,
        begunAt: now,
        expiresAt: now + DAY,
        // A unique value: a retry by the SDK finds its own item and succeeds, but a parallel request does not.
        begunBy: attempt,
      }),
      found ? unchanged(found) : ABSENT,
    );
    return began ? { state: 'begun', attempt: name } : underWay(now);
  };

  return {
    begin,

    // A repetition of a request whose answer is too large finds the attempt's result, and answers again.
    finish: async (request, attempt, answer) => {
      if (Buffer.byteLength(answer.body) > MOST_KEPT_BYTES) return;
      await items.update(request, assigning({ answer }, ofAttempt(attempt)));
    },

    forget: (request, attempt) => items.remove(request, ofAttempt(attempt)),
  };
};

/** Fails if somebody resumed or answered the request since it was read. */
const unchanged = ({ attempt, begunAt, answer }: z.output<typeof Item>) => ({
  ConditionExpression: `attempt = :before AND begunAt = :begun AND attribute_${answer ? '' : 'not_'}exists(answer)`,
  ExpressionAttributeValues: { ':before': attempt, ':begun': begunAt },
});

const ofAttempt = (attempt: string) => ({
  ConditionExpression: 'attempt = :attempt',
  ExpressionAttributeValues: { ':attempt': attempt },
});

export interface IdempotentRequest {
  readonly userId: string;
  readonly key: string;
  /** SHA-256 (hex) of the request. */
  readonly requestHash: string;
}

/** Kept for a day. Source: docs/decisions/management.md, "Repeating a request". */
export interface IdempotencyRecords {
  /**
   * Begins a request, or returns its state. An unfinished request is resumed, with its first attempt's id, once its
   * function cannot be running any more.
   * @param attempt - id for a new request
   */
  begin(request: IdempotentRequest, attempt: string, now: EpochSeconds): Promise<IdempotencyState>;
  finish(request: IdempotentRequest, attempt: string, answer: StoredReply): Promise<void>;
  /** Forgets a refused request, so that the key may be used again, also with another body. */
  forget(request: IdempotentRequest, attempt: string): Promise<void>;
}

export type IdempotencyState =
  | { readonly state: 'begun'; readonly attempt: string }
  | ({ readonly state: 'under_way' } & UnderWay)
  | { readonly state: 'answered'; readonly answer: StoredReply }
  | { readonly state: 'another_request' };
