import type { StoredReply } from '../../tools/answer/stored-reply.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import type { ApiPorts } from '../ports.ts';
import type { IdempotentRequest } from '../store/idempotency-records.ts';
import { secondsToWait } from '../../limits/rules/seconds-to-wait.ts';

/**
 * Does something once, however often a request comes under one key.
 *
 * @param act - does it; given the name of the attempt, which stays the same when a crash made the client
 *   ask again, so that what the crash left is known as its own
 * @throws ApiRefusal idempotency_key_reused, idempotency_key_in_use, and whatever `act` throws
 *
 * Source: docs/decisions/management.md, "Repeating a request".
 */
export const idempotently = async <Answer extends StoredReply>(
  ports: Pick<ApiPorts, 'clock' | 'log' | 'random' | 'idempotencyRecords'>,
  request: IdempotentRequest,
  act: (attempt: string) => Promise<Answer>,
): Promise<{ readonly answer: Answer | StoredReply; readonly replayed: boolean }> => {
  const { clock, random, idempotencyRecords } = ports;
  const now = clock.now();
  const found = await idempotencyRecords.begin(request, random.id(), now);
  switch (found.state) {
    case 'answered':
      return { answer: found.answer, replayed: true };
    case 'under_way':
      throw new ApiRefusal(
        'idempotency_key_in_use',
        'The first request under this Idempotency-Key is still being answered.',
        [],
        'under way',
        { retryAfterSeconds: secondsToWait(found, now) },
      );
    case 'another_request':
      throw new ApiRefusal(
        'idempotency_key_reused',
        'This Idempotency-Key came with another request before: choose a new one.',
      );
    case 'begun': {
      const { attempt } = found;
      const answer = await act(attempt).catch(async (error: unknown) => {
        // Only a refusal says for certain that nothing was done; after anything else the attempt goes on.
        if (error instanceof ApiRefusal) {
          await afterwards(ports, 'an Idempotency-Key given back', () =>
            idempotencyRecords.forget(request, attempt),
          );
        }
        throw error;
      });
      await afterwards(ports, 'the answer under an Idempotency-Key', () =>
        idempotencyRecords.finish(request, attempt, answer),
      );
      return { answer, replayed: false };
    }
  }
};
