import { dereference, type OutputUnit, validate } from '@cfworker/json-schema';
import { type Budget, BudgetSpent, checkedSchema } from './checked-schema.ts';
import type { Coerced } from './coerce.ts';
import { explain } from './explain.ts';
import { type ArgumentFault, invalidArguments } from './invalid-arguments.ts';
import type { Schema } from './shape.ts';

/** Schemas applied to one call's arguments, about half a second of work. */
const MOST_VISITS = 500_000;
/** Schemas applied once more, to find all faults of arguments that have at most so many values. */
const MOST_EXPLAINED_VISITS = 20_000;
const MOST_EXPLAINED_VALUES = 1000;
/** Findings that are put into words, of more values: a member too many is found as often as there is one. */
const MOST_TOLD = 200;

/** Finds what a tool's schema forbids in arguments of this size. */
export type CheckArguments = (
  args: unknown,
  size: Pick<Coerced, 'count' | 'named'>,
) => readonly ArgumentFault[];

/**
 * The check of one tool, made once and run for every call.
 *
 * @param files - see `checkedSchema`
 */
export const checkerOf = (schema: Schema, files: boolean): CheckArguments => {
  const budget: Budget = { left: 0, named: 0 };
  const checked = checkedSchema(schema, budget, files);
  const lookup = dereference(checked);

  const findings = (args: unknown, visits: number, firstOnly: boolean) => {
    budget.left = visits;
    try {
      return validate(args, checked, '2020-12', lookup, firstOnly).errors;
    } catch (error) {
      // A RangeError is a schema that refers to itself without end.
      if (error instanceof BudgetSpent || error instanceof RangeError) return undefined;
      throw error;
    }
  };

  return (args, { count, named }) => {
    budget.named = named;
    const found = findings(args, MOST_VISITS, true);
    if (!found) {
      throw invalidArguments([{ path: '', message: 'are too large to be checked for this tool' }]);
    }
    if (found.length === 0) return [];
    const everything: readonly OutputUnit[] | undefined =
      count > MOST_EXPLAINED_VALUES ? undefined : findings(args, MOST_EXPLAINED_VISITS, false);
    const faults = explain(checked, args, everything ?? found.slice(0, MOST_TOLD));
    return faults.length > 0
      ? faults
      : [{ path: '', message: 'do not fit the schema of this tool' }];
  };
};
