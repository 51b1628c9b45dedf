/**
 * Whose doing an event was: an operator's.
 *
 * @param operatorId - of the account at the console; undefined for whoever IAM lets invoke a function
 */
export const doneBy = (
  operatorId: string | undefined,
): { readonly why: string; readonly operatorId?: string } => ({
  why: 'operator',
  ...(operatorId !== undefined && { operatorId }),
});
