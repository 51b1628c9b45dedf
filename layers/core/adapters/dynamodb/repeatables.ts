import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { DAY, MINUTE } from '../../domain/time.ts';
import type { Repeatables, RepeatableRequest, Repetition } from '../../ports.ts';
import { ABSENT, itemsOf } from './items.ts';

/** After this long the function that began a request has ended, whatever became of it. */
const ABANDONED_SECONDS = MINUTE;

const Answer = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  base64: z.boolean(),
});

const Item = z.object({
  request_hash: z.string(),
  attempt: z.string().check(z.minLength(1)),
  begun_at: z.int(),
  expires_at: z.int(),
  answer: z.exactOptional(Answer),
});

/** One item per user and key; what is under way says when it began. */
export const dynamoRepeatables = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): Repeatables => {
  const items = itemsOf(dynamo, TableName, 'IDEMPOTENCY', Item);

  const begin: Repeatables['begin'] = async (request, attempt, now) => {
    const id = idOf(request);
    const found = await items.find(id);
    const known = found && now < found.expires_at ? found : undefined;
    if (known && known.request_hash !== request.requestHash) return { state: 'another_request' };
    if (known?.answer) return { state: 'answered', answer: keptAnswer(known.answer) };
    if (known && now < known.begun_at + ABANDONED_SECONDS) return { state: 'under_way' };

    const name = known?.attempt ?? attempt;
    const began = await items.put(
      id,
      {
        request_hash: request.requestHash,
        attempt: name,
        begun_at: now,
        expires_at: now + DAY,
        // Tells a repetition by the SDK from another request that resumes in the same second.
        begun_by: attempt,
      },
      found ? unchanged(found) : ABSENT,
    );
    return began ? { state: 'begun', attempt: name } : { state: 'under_way' };
  };

  return {
    begin,

    finish: async (request, attempt, { statusCode, headers, body, isBase64Encoded }) => {
      await items.update(idOf(request), {
        UpdateExpression: 'SET answer = :answer',
        ...ofAttempt(attempt),
        ExpressionAttributeValues: {
          ':attempt': attempt,
          ':answer': { status: statusCode, headers, body, base64: isBase64Encoded },
        },
      });
    },

    forget: (request, attempt) => items.remove(idOf(request), ofAttempt(attempt)),
  };
};

/** The key is the client's own text, of any length and content. */
const idOf = ({ userId, key }: RepeatableRequest): string =>
  `${userId}#${createHash('sha256').update(key).digest('hex')}`;

/** Nobody else has resumed it, nor has it been answered, since it was read. */
const unchanged = ({ attempt, begun_at, answer }: z.output<typeof Item>) => ({
  ConditionExpression: `attempt = :before AND begun_at = :begun AND attribute_${answer ? '' : 'not_'}exists(answer)`,
  ExpressionAttributeValues: { ':before': attempt, ':begun': begun_at },
});

const ofAttempt = (attempt: string) => ({
  ConditionExpression: 'attempt = :attempt',
  ExpressionAttributeValues: { ':attempt': attempt },
});

const keptAnswer = (
  answer: z.output<typeof Answer>,
): Extract<Repetition, { state: 'answered' }>['answer'] => ({
  statusCode: answer.status,
  headers: answer.headers,
  body: answer.body,
  isBase64Encoded: answer.base64,
});
