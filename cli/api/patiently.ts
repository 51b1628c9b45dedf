import { setTimeout } from 'node:timers/promises';
import { Failure } from '../failure.ts';

/** Most seconds to wait; conflicting work such as another pipeline ends sooner. */
const PATIENCE = 60;

/** Repeats a request for which the service asks to wait, and which has had no effect yet. */
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
