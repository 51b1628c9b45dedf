export { checkValues, type GivenValues } from './check-values.ts';
export { type Completion, completion } from './complete.ts';
export {
  type CompletionRequest,
  readCompletionRequest,
  unknownReference,
} from './completion-request.ts';
