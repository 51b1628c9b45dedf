export {
  type AnswerContent,
  answerContent,
  type AnswerRest,
  type McpContent,
  type ToolResult,
} from './answer-content.ts';
export { buildRequest } from './build-request.ts';
export { MOST_RESULT_BYTES } from './fitting-text.ts';
export { maskAnswer, maskSecrets } from './mask-secrets.ts';
export { type PreparedTool, prepareTool } from './prepare-tool.ts';
export { type Arguments, readArguments } from './read-arguments.ts';
export { type ShownRequest, shownRequest } from './shown-request.ts';
