/** `lenient` lets through calls that only break the description: see `leftToTarget`. */
export const ARGUMENT_CHECKS = ['strict', 'lenient'] as const;
export type ArgumentChecks = (typeof ARGUMENT_CHECKS)[number];
