import type { FieldFault } from '../../pages/index.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';

/** Findings of a refused form, by field. @throws the error itself where it has no findings */
export const faultsOf = (error: unknown): readonly FieldFault[] => {
  if (!(error instanceof ApiRefusal) || error.code !== 'invalid_request') throw error;
  return error.findings.map(({ where, hint }) => ({ field: where.slice(1), text: hint }));
};

/** Catches a typing error in a new password, which would lock its owner out. */
export const repetitionFaults = (password: string, repeated: string): readonly FieldFault[] =>
  password === repeated
    ? []
    : [{ field: 'repeated', text: 'The two passwords are different: type the same one again.' }];
