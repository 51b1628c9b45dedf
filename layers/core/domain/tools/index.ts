export {
  type AnswerContent,
  answerContent,
  type McpContent,
  resultTokens,
  type ToolResult,
} from './answer/answer-content.ts';
export { textParts } from './answer/divide-answer.ts';
export { type BudgetTerms, readInstructions } from './answer/continuation-note.ts';
export { buildRequest } from './request/build-request.ts';
export { MOST_RESULT_BYTES } from './answer/fitting-text.ts';
export { maskingOf } from './masking/mask-secrets.ts';
export { type Budget, fullBudget } from './arguments/budget.ts';
export { type PreparedTool, prepareTool } from './prepare-tool.ts';
export { InvalidArguments } from './arguments/invalid-arguments.ts';
export { type Arguments, readArguments } from './arguments/read-arguments.ts';
export { shownRequest } from './masking/shown-request.ts';
export { shownAnswer } from './masking/shown-answer.ts';
export { withCredential } from './request/with-credential.ts';
export { withTraceHeaders } from './request/trace-headers.ts';
