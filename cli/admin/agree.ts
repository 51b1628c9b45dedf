import type { Ask } from '../input/ask.ts';
import { usageFailure } from '../failure.ts';

/**
 * Asks before something that ends more than the person may think.
 *
 * @throws Failure usage if the person does not agree, or nobody is there
 */
export const agree = async (ask: Ask, what: string): Promise<void> => {
  if (!ask.isPossible) throw usageFailure(`Nobody is there to agree: say --yes to ${what}.`);
  const typed = await ask.line(`Type yes to ${what}`);
  if (typed.trim().toLowerCase() !== 'yes') throw usageFailure('Nothing was done.');
};
