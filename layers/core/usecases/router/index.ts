import type { AuthenticatePorts } from './authentication/authenticate.ts';
import type { AnswerRpcPorts } from './rpc-exchange.ts';
import type { ReadsDocsPorts } from './reads-docs.ts';
import type { Ports } from '../../ports.ts';

export { checkLocalOrigin, checkOrigin } from '../../domain/access/origin.ts';
export type { ResourceForm } from '../../domain/addresses.ts';
export {
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  protectedResourceMetadata,
} from '../../domain/oauth/index.ts';
export { discoveryDocument, healthDocument, serverCard } from '../../domain/router/index.ts';
export {
  addressees,
  readMessages,
  readTraceContext,
  type RpcBody,
  speaksRpc,
} from '../../domain/rpc/index.ts';
export { modernVersions, servedVersions } from './served-versions.ts';
export { answerRpc } from './answer-rpc.ts';
export type { RpcReply } from './rpc-exchange.ts';
export type { RpcIds } from '../../domain/refusal.ts';
export { chargeAddress, chargeAnybody } from './authentication/charge.ts';
export { authenticate } from './authentication/authenticate.ts';
export type { Caller } from './calls/caller.ts';
export { type DocumentedTool, documentTools } from './document-tools.ts';
export { checkOffersLogin, findDeployment } from './find-deployment.ts';
export { onCurrent } from '../served/current-deployment.ts';
export { callLegacyTool, listLegacyTools } from './legacy.ts';
export { recordRefusedPage } from './calls/refused-calls.ts';
export { listOperations } from './calls/tool-modes.ts';
export { type PrefetchedToken, prefetchAccessToken } from './prefetch-access-token.ts';
export type { Sender } from './calls/sender.ts';
export { readsDocs } from './reads-docs.ts';
export { fetchDescription, type FetchDescriptionPorts } from './calls/fetch-description.ts';
export { tryTool, type TryToolPorts } from './calls/try-tool.ts';

export type RouterPorts = AnswerRpcPorts &
  AuthenticatePorts &
  ReadsDocsPorts &
  Pick<Ports, 'deployments' | 'log' | 'timeLeft' | 'toolReports'>;
