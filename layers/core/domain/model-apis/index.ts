export type { ModelTool } from './model-tool.ts';
export { subschemas } from '../json-schema/subschemas.ts';
export { MODEL_APIS, type ModelApi, type Verdict, verdictOn } from './verdict.ts';
