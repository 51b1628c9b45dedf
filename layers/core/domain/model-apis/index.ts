export type { Complaints, ListedTool } from './listed-tool.ts';
export { subschemas } from './subschemas.ts';
export { MODEL_APIS, type ModelApi, type Verdict, verdictOn } from './verdict.ts';
