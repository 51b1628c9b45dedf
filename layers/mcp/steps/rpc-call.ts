import type { Deployment } from '../../servers/rules/deployment.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import type { RpcParams } from '../rules/message/params.ts';
import type { TraceContext } from '../rules/message/trace-context.ts';
import type { AnswerContent } from '../../tools/answer/answer-content.ts';
import type { Ports } from '../../ports.ts';
import type { ResponseBudget } from './calls/response-budget.ts';
import type { Caller } from './calls/caller.ts';
import type { CredentialOf } from './calls/credential-of.ts';
import type { Sender } from './calls/sender.ts';

export type MethodPorts = Pick<
  Ports,
  | 'callLog'
  | 'clock'
  | 'counters'
  | 'credentials'
  | 'deployments'
  | 'events'
  | 'storedReplies'
  | 'random'
  | 'prompts'
  | 'resources'
  | 'searchIndexes'
  | 'settings'
  | 'targetApi'
  | 'toolIndexes'
>;

/** One request to a method. */
export interface RpcCall {
  readonly deployment: Deployment;
  readonly caller: Caller;
  readonly sender: Sender;
  /** Its place among the messages of its HTTP request. */
  readonly index: number;
  readonly params: RpcParams;
  readonly credential: CredentialOf;
  /** What the result may take. */
  readonly room: ResponseBudget;
  /** Whether the caller can come back for what the result has no room for. */
  readonly keeps: boolean;
  /**
   * Whether the client speaks the transport of MCP, as all do that refuse a null `nextCursor`.
   * Source: docs/decisions/mcp.md, "Absent, never null".
   */
  readonly speaksMcp: boolean;
  /** That is spoken. */
  readonly version: ProtocolVersion;
  /** Of the client, where it traces what it does. */
  readonly traceContext: TraceContext | undefined;
  readonly trace: RpcTrace;
  /** Its owner tries the tool. */
  readonly isTrial?: true;
  /** Of a trial: which members of the answer are wanted, and what became of the others. */
  readonly tried?: {
    readonly fields: readonly string[] | undefined;
    chosen?: AnswerContent['chosen'];
  };
}

/** What the log says about one message; only names that the service knows itself. */
export interface RpcTrace {
  method: string;
  tool?: string;
  outcome: string;
  /** Of the client, in the form of W3C Trace Context. */
  traceparent?: string;
  tracestate?: string;
  /** For the log only: what kept the credential from us, or us from keeping the rest of an answer. */
  why?: string;
}

/** @returns the result as JSON text @throws RpcRefusal */
export type Method = (ports: MethodPorts, call: RpcCall) => Promise<string>;
