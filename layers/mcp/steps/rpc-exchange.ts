import type { Deployment } from '../../servers/rules/deployment.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import type { RpcBody } from '../rules/message/body.ts';
import type { RpcHeaders } from '../rules/message/modern-headers.ts';
import type { SpokenProtocol } from '../rules/message/spoken-protocol.ts';
import type { TraceContext } from '../rules/message/trace-context.ts';
import type { Ports } from '../../ports.ts';
import type { ChargePorts } from './authentication/charge.ts';
import type { Caller } from './calls/caller.ts';
import type { Sender } from './calls/sender.ts';
import type { MethodPorts, RpcTrace } from './rpc-call.ts';

export type AnswerRpcPorts = MethodPorts & ChargePorts & Pick<Ports, 'credentials'>;

export interface RpcExchange {
  readonly deployment: Deployment;
  readonly caller: Caller;
  readonly sender: Sender;
  readonly body: RpcBody;
  readonly headers: RpcHeaders;
  /** Of the HTTP request, for messages that have none of their own. */
  readonly traceContext: TraceContext | undefined;
  /** Whether it accepts a stream of events, as clients of the transport must. */
  readonly acceptsEvents: boolean;
}

export interface RpcReply {
  /** JSON text; undefined if nothing in the body asked for an answer. */
  readonly text: string | undefined;
  /** How it ended: `malformed` if nothing in the body could be carried out for its form alone. */
  readonly end: 'answered' | 'malformed' | 'unknown_method';
  /** That the answer is written in; undefined for those that never said so. */
  readonly version: ProtocolVersion | undefined;
  readonly spoken: SpokenProtocol;
  readonly traces: readonly RpcTrace[];
}
