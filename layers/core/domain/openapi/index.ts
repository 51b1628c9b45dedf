export { apiTexts } from './api-texts.ts';
export { type CompileOptions, compileTools } from './compile/compile-tools.ts';
export { describedOutputs } from './compile/output/read-outputs.ts';
export type { ServerBase } from './compile/operation/servers.ts';
export type { Description, FoundOperation } from './document.ts';
export { encodedText, type Encoding, encodingOf } from './intake/encoding.ts';
export { descriptionText } from './intake/parse.ts';
export { readDescription } from './intake/read-description.ts';
export {
  type OperationsLimit,
  type SelectedOperations,
  selectOperations,
} from './intake/select-operations.ts';
