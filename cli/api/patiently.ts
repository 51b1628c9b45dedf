import { setTimeout } from 'node:timers/promises';
import { Failure } from '../failure.ts';

/** Seconds: what runs beside, such as another pipeline, ends sooner. */
const PATIENCE = 60;

/**
 * Waits where the service asks for a moment, and does the same again: it has had no effect.
 *
 * @throws what `act` throws besides, and where the service asks for more patience than that
 */
export const patiently = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  for (let waited = 0; ;) {
    try {
      return await act();
    } catch (error) {
      const wait = error instanceof Failure ? error.details.retryAfterSeconds : undefined;
      if (wait === undefined || waited + wait > PATIENCE) throw error;
      await setTimeout(wait * 1000);
      waited += wait;
    }
  }
};
