import type { Ask } from './ask.ts';
import { usageFailure } from '../failure.ts';

/**
 * Lets a person say what is to be removed for good, by its name.
 *
 * @throws Failure usage if it is not said, or nobody is there
 */
export const confirm = async (ask: Ask, name: string): Promise<void> => {
  if (!ask.isPossible) {
    throw usageFailure(
      'There is no terminal to confirm this at: add --yes to remove it permanently.',
    );
  }
  const typed = await ask.line(`Type ${name} to remove it permanently`);
  if (typed.trim() !== name) throw usageFailure('Nothing was removed.');
};
