import type { FieldFault } from '../../pages/index.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';

/**
 * What a refusal says of a form's fields.
 *
 * @throws whatever says nothing of fields
 */
export const faultsOf = (error: unknown): readonly FieldFault[] => {
  if (!(error instanceof ApiRefusal) || error.code !== 'invalid_request') throw error;
  return error.findings.map(({ where, hint }) => ({ field: where.slice(1), text: hint }));
};

/** A typing error that nobody sees would lock its maker out. */
export const repetitionFaults = (password: string, repeated: string): readonly FieldFault[] =>
  password === repeated
    ? []
    : [{ field: 'repeated', text: 'The two passwords are different: type the same one again.' }];
