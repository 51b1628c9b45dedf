import type { StoredReply } from '../../tools/answer/stored-reply.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import type { ApiPorts } from '../ports.ts';
import type { IdempotentRequest } from '../store/idempotency-records.ts';
import { secondsToWait } from '../../limits/rules/seconds-to-wait.ts';

/**
 * Carries out a request once, however often it comes under one key.
 * @param act - gets the attempt's id, which stays the same when the client repeats the request after a crash: so it
 *   recognizes what the crash left behind
 * @throws ApiRefusal idempotency_key_reused, idempotency_key_in_use, and whatever `act` throws
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
        // Only after a refusal it is certain that nothing was done; otherwise the attempt stays open.
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
