import type { IdentityPorts } from '../../identity/ports.ts';
import type { McpSettings } from '../ports.ts';
import type { AuthenticatePorts } from './authentication/authenticate.ts';
import type { AnswerRpcPorts } from './answer-rpc.ts';
import type { ReadsDocsPorts } from './reads-docs.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';

export type RouterPorts = AnswerRpcPorts &
  AuthenticatePorts &
  ReadsDocsPorts &
  Pick<IdentityPorts, 'identityProviders'> &
  Pick<DeploymentsPorts, 'deployments' | 'log' | 'timeLeft' | 'toolReports'> & {
    readonly settings: Pick<McpSettings, 'localOrigins' | 'serverCards'>;
  };
