/** Whether calls are refused that lack what only the description requires. */
export const ARGUMENT_CHECKS = ['strict', 'lenient'] as const;
export type ArgumentChecks = (typeof ARGUMENT_CHECKS)[number];
