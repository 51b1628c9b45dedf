export { errorOf, errorText, resultText } from './answer.ts';
export { addressees, readMessages, type RpcBody } from './body.ts';
export { costOf, publicCostOf } from './cost.ts';
export { readJson } from './json-text.ts';
export { checkLogLevel } from './log-level.ts';
export { type RpcMessage } from './message.ts';
export { methodsOf } from './methods-of.ts';
export {
  checkCursor,
  readParams,
  readString,
  refuseCursor,
  type RpcParams,
  unknownName,
} from './params.ts';
export {
  completeResult,
  modernErrorBody,
  modernErrorText,
  type ResultCaching,
} from './modern-answer.ts';
export type { RpcHeaders } from './modern-headers.ts';
export { type ModernMessage, readModern } from './modern-message.ts';
export { nestsDeeperThan } from '../json-schema/nesting.ts';
export { speaksRpc } from './speaks-rpc.ts';
export { spokenByLegacy, spokenByModern, type SpokenProtocol } from './spoken-protocol.ts';
export { methodNotFound, modernMethodNotFound } from './supported-methods.ts';
export { readTraceContext, type TraceContext, traceContextOf } from './trace-context.ts';
export { inKnownVersion, withoutBatch } from './versions.ts';
export {
  type Answer,
  checkFits,
  isSendable,
  isSmallerAsBase64,
  MOST_BODY_BYTES,
  withinBudget,
} from './wire-size.ts';
