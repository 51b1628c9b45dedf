export { errorOf, errorText, resultText, type RpcError } from './answer.ts';
export { addressees, readMessages, type RpcBody } from './body.ts';
export { costOf, publicCostOf } from './cost.ts';
export { readJson } from './json-text.ts';
export { checkLogLevel } from './log-level.ts';
export { type RpcId, type RpcMessage } from './message.ts';
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
export { nestsDeeperThan } from './nesting.ts';
export { clientName } from './request-metadata.ts';
export { speaksRpc } from './speaks-rpc.ts';
export { methodNotFound, modernMethodNotFound } from './supported-methods.ts';
export { inKnownVersion, withoutBatch } from './versions.ts';
export { type Answer, checkFits, isSmallerAsBase64, withinBudget } from './wire-size.ts';
