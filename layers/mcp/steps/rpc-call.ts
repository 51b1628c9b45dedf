import type { CallIdentity, LoggedCall } from '../../events/rules/call-record.ts';
import type { Bearer } from '../../connections/rules/token-source.ts';
import type { CredentialName } from '../../credentials/rules/credential-name.ts';
import type { DeploymentCredential } from '../../credentials/rules/deployment-credential.ts';
import type { Operation } from '../../openapi/tool-index.ts';
import type { Plan } from '../../limits/rules/plan.ts';
import type { RpcBody, RpcParams, TraceContext } from '../rules/message.ts';
import type { RpcHeaders } from '../rules/modern-message.ts';
import type { SpokenProtocol } from '../rules/versions.ts';
import type { ToolScope } from '../../tokens/rules/authorization.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { McpPorts } from '../ports.ts';
import type { PlatformSettings } from '../../platform/ports.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { SentCredential } from '../../target/rules/credential.ts';
import type { TargetAnswer, TargetRequest } from '../../target/rules/target.ts';
import type { AnswerContent } from '../../tools/answer/answer-content.ts';
import type { ToolResult } from '../../tools/answer/tool-result.ts';

export type MethodPorts = Pick<
  McpPorts,
  | 'callLog'
  | 'clock'
  | 'connectedTokens'
  | 'counters'
  | 'credentials'
  | 'deployments'
  | 'events'
  | 'storedReplies'
  | 'random'
  | 'recordingLog'
  | 'prompts'
  | 'resources'
  | 'searchIndexes'
  | 'targetApi'
  | 'toolIndexes'
> & { readonly settings: PlatformSettings & LimitsSettings };

export interface RpcCall {
  readonly deployment: Deployment;
  readonly caller: Caller;
  readonly sender: Sender;
  /** Its place among the messages of its HTTP request. */
  readonly index: number;
  readonly params: RpcParams;
  readonly credentials: CallCredentials;
  readonly responseBudget: ResponseBudget;
  /** Whether the caller can read on later what the result is too small for. */
  readonly canStoreRest: boolean;
  /**
   * Whether the client speaks the transport of MCP, as all do that refuse a null `nextCursor`.
   * Source: docs/decisions/mcp.md, "Absent, never null".
   */
  readonly speaksMcp: boolean;
  /** That the result is written in. */
  readonly version: ProtocolVersion;
  /** The client's, where it traces what it does. */
  readonly traceContext: TraceContext | undefined;
  readonly trace: RpcTrace;
  /** Set where the server's owner tries the tool. */
  readonly isTrial?: true;
  /** In a trial: what of the answer is shown, and what its owner is shown beside the result. */
  readonly tried?: {
    readonly fields: readonly string[] | undefined;
    readonly headers: readonly string[] | undefined;
    chosen?: AnswerContent['chosen'];
    sent?: TargetRequest;
    answer?: TargetAnswer;
    /** What is secret in what was sent and answered. */
    secrets?: () => readonly SentCredential[];
  };
}

/** What the log says about one message; only names that the service knows itself. */
export interface RpcTrace {
  method: string;
  tool?: string;
  outcome: string;
  /** The client's, in the form of W3C Trace Context. */
  traceparent?: string;
  tracestate?: string;
  /** For the log only: why the credential could not be had, or the rest of an answer not be stored. */
  why?: string;
}

/** A result before it is put into an envelope. */
export interface MethodResult {
  /** JSON text of an object. */
  readonly text: string;
  /** Set where it is its caller's alone and ends then, in epoch seconds. */
  readonly privateUntil?: EpochSeconds;
  /** What is said of the server, where that is more than its name. */
  readonly server?: object;
}

/** @throws RpcRefusal */
export type Method = (ports: MethodPorts, call: RpcCall) => Promise<MethodResult>;

/** What calls of tools reach, which write their records where they are told. */
export type CallPorts = Omit<MethodPorts, 'callLog' | 'recordingLog'>;

export type WriteRecord = (record: LoggedCall) => void;

/** Makes a call of a tool. @throws RpcRefusal */
export type ToolCall = (
  ports: CallPorts,
  call: RpcCall,
  write: WriteRecord,
) => Promise<ToolCallResult>;

export interface ToolCallResult {
  readonly result: ToolResult;
  /** JSON text of it, with the structured content that belongs to it. */
  readonly text: string;
}

export const toolCallResult = (result: ToolResult): ToolCallResult => ({
  result,
  text: JSON.stringify(result),
});

export interface RpcExchange {
  readonly deployment: Deployment;
  readonly caller: Caller;
  readonly sender: Sender;
  readonly body: RpcBody;
  readonly headers: RpcHeaders;
  /** That of the HTTP request, for messages that have none of their own. */
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

/** Who a request comes from, and whom its limits count. */
export type Caller = Anonymous | TokenHolder;

/** Anybody, at a deployment of mode `none`. */
export interface Anonymous {
  readonly kind: 'anonymous';
  /** An IPv4 address, or the /64 of an IPv6 one. */
  readonly subject: string;
}

export interface TokenHolder extends CallIdentity {
  readonly kind: 'holder';
  /** A user's id, or what stands for a user of an external issuer. */
  readonly subject: string;
  /** Whose limits count: the user's own, or the owner's for tokens that name no user of the service. */
  readonly plan: Plan;
  /** Whose usage of that plan counts, where that is not the subject's. */
  readonly usage?: string;
  /** Whose usage counts besides, where many share one plan. */
  readonly totalUsage?: string;
  readonly scopes: readonly ToolScope[];
  /** The access token that was shown, where that names a user of the service. */
  readonly bearer?: Bearer;
  /** Where a client begins to ask for more scopes. */
  readonly resourceMetadataUrl?: string;
}

/** From where a request came, for records of on whose behalf something was done. */
export interface Sender {
  readonly ip: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
}

export interface CallCredentials {
  /**
   * Those that calls of an operation carry, or all. However often it is called for one request, each is asked for once.
   *
   * @throws CredentialUnavailable, TokenUnavailable
   */
  readonly of: (
    operation?: Pick<Operation, 'security' | 'serverUrl'>,
  ) => Promise<readonly HeldCredential[]>;
  /** All that this instance holds now, those that others took the place of too. Asks nobody. */
  readonly held: () => readonly SentCredential[];
}

/** A credential at hand, and what the deployment says of it. */
export interface HeldCredential {
  readonly name: CredentialName;
  readonly described: DeploymentCredential;
  readonly credential: SentCredential;
  /**
   * And with another token than this one, which the target has refused; the same where there is no other now.
   *
   * @throws TokenUnavailable
   */
  readonly renewed?: () => Promise<HeldCredential>;
}

/** How many bytes the results of one HTTP request may take on their way, and whose turn for long answers it is. */
export interface ResponseBudget {
  /** Bytes for the next result. */
  left(): number;
  take(result: ToolResult): void;
  /** A turn for one call. */
  longAnswer(): LongAnswer;
}

/**
 * A turn at reading an answer that is too long for a result: each takes several times its size until what is
 * left out has been stored, and the calls of a batch would need them all at once.
 */
export interface LongAnswer {
  /** Resolves when all who had a turn before have ended it. Whoever asks again has the same turn. */
  begin(): Promise<void>;
  /** Does nothing where it was not begun. */
  end(): void;
}
