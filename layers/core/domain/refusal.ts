/** A rule that speaks has a class of its own for each protocol that it speaks in. */
export {
  type ApiCode,
  ApiRefusal,
  type ApiRefusalDetails,
  collectFindings,
  type Finding,
  type Findings,
} from './refusal/api-refusal.ts';
export {
  type OAuthCode,
  OAuthRefusal,
  type OAuthRefusalDetails,
  type ReturnTo,
} from './refusal/oauth-refusal.ts';
export { type PageCode, PageRefusal } from './refusal/page-refusal.ts';
export {
  nothingThere,
  type RouterCode,
  RouterRefusal,
  type RouterRefusalDetails,
  type RpcIds,
} from './refusal/router-refusal.ts';
export { ToolRefusal } from './refusal/tool-refusal.ts';
export { type RpcCode, RpcRefusal } from './refusal/rpc-refusal.ts';
