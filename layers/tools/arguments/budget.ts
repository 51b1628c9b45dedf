import { invalidArguments } from './invalid-arguments.ts';

/**
 * What the arguments of one call may still cost. Schemas come from the owner of a description, values from
 * a caller; together they must not be able to hold a router.
 */
export interface Budget {
  /** Values that are read. */
  values: number;
  /** Schemas that are looked through for those that speak of a value. */
  steps: number;
  /** Schemas that values are held against, about half a second of work. */
  checks: number;
}

const MOST_VALUES = 100_000;

export const fullBudget = (): Budget => ({
  values: MOST_VALUES,
  steps: 2_000_000,
  checks: 500_000,
});

/** @throws RpcRefusal where that is more than is left */
export const spend = (budget: Budget, of: keyof Budget, amount: number): void => {
  budget[of] -= amount;
  if (budget[of] < 0) throw tooMuch(TOO_MUCH[of]);
};

const TOO_MUCH: Readonly<Record<keyof Budget, string>> = {
  values: `hold more than ${MOST_VALUES} values`,
  steps: 'are too large for this tool',
  checks: 'are too large to be checked for this tool',
};

/** The refusal of arguments as a whole. */
export const tooMuch = (message: string) => invalidArguments([{ path: '', message }]);
