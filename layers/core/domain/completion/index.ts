export { checkValues, type GivenValues } from './check-values.ts';
export { completion } from './complete.ts';
export {
  type CompletionRequest,
  readCompletionRequest,
  unknownReference,
} from './completion-request.ts';
