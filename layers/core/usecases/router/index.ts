import type { AuthenticatePorts } from './authenticate.ts';
import type { AnswerRpcPorts } from './answer-rpc.ts';
import type { Ports } from '../../ports.ts';

export { checkOrigin } from '../../domain/access/origin.ts';
export type { ResourceForm } from '../../domain/addresses.ts';
export {
  authorizationServerMetadata,
  protectedResourceMetadata,
} from '../../domain/oauth/index.ts';
export { discoveryDocument, healthDocument } from '../../domain/router/index.ts';
export { readBody, type RpcBody, speaksRpc } from '../../domain/rpc/index.ts';
export { answerRpc, type RpcReply } from './answer-rpc.ts';
export { authenticate } from './authenticate.ts';
export type { Caller } from './caller.ts';
export { type DocumentedTool, documentTools } from './document-tools.ts';
export { checkOffersLogin, findDeployment } from './find-deployment.ts';
export { callLegacyTool, listLegacyTools } from './legacy.ts';
export { listOperations } from './tool-modes.ts';
export { type Ahead, readAhead } from './read-ahead.ts';
export type { Sender } from './sender.ts';
export { tryTool, type TryToolPorts } from './try-tool.ts';

export type RouterPorts = AnswerRpcPorts &
  AuthenticatePorts &
  Pick<Ports, 'deployments' | 'log' | 'toolReports'>;
