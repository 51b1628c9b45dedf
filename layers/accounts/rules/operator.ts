/** Fields of an operator's event. @param operatorId - account at the console; undefined for an invocation by IAM */
export const doneBy = (
  operatorId: string | undefined,
): { readonly why: string; readonly operatorId?: string } => ({
  why: 'operator',
  ...(operatorId !== undefined && { operatorId }),
});
