import type { KeptAnswer } from '../../domain/kept-answer.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports, RepeatableRequest } from '../../ports.ts';

export type IdempotentlyPorts = Pick<Ports, 'clock' | 'mint' | 'repeatables'>;

/**
 * Does something once, however often it is asked for under one key.
 *
 * @param act - does it; given the name of the attempt, which stays the same when a crash made the client
 *   ask again, so that what the crash left is known as its own
 * @throws ApiRefusal idempotency_key_reused, idempotency_key_in_use, and whatever `act` throws
 *
 * Source: management-api.md; D41.
 */
export const idempotently = async <Answer extends KeptAnswer>(
  { clock, mint, repeatables }: IdempotentlyPorts,
  request: RepeatableRequest,
  act: (attempt: string) => Promise<Answer>,
): Promise<{ readonly answer: Answer | KeptAnswer; readonly replayed: boolean }> => {
  const found = await repeatables.begin(request, mint.id(), clock.now());
  switch (found.state) {
    case 'answered':
      return { answer: found.answer, replayed: true };
    case 'under_way':
      throw new ApiRefusal(
        'idempotency_key_in_use',
        'The first request under this Idempotency-Key is still being answered.',
        [],
        'under way',
        { retryAfterSeconds: 2 },
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
        if (error instanceof ApiRefusal) await repeatables.forget(request, attempt);
        throw error;
      });
      await repeatables.finish(request, attempt, answer);
      return { answer, replayed: false };
    }
  }
};
