import type { AuthenticatePorts } from './authentication/authenticate.ts';
import type { AnswerRpcPorts } from './answer-rpc.ts';
import type { ReadsDocsPorts } from './reads-docs.ts';
import type { Ports } from '../../ports.ts';

export type RouterPorts = AnswerRpcPorts &
  AuthenticatePorts &
  ReadsDocsPorts &
  Pick<Ports, 'deployments' | 'log' | 'timeLeft' | 'toolReports'>;
