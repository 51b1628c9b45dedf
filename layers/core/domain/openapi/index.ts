/** The door of OpenAPI: a description is read, its operations are chosen, and made into tools. */
export type { Description, Dialect, FoundOperation } from './document.ts';
export { type DescriptionLimits, readDescription } from './intake/read-description.ts';
export { type OperationSelection, selectOperations } from './intake/select-operations.ts';
