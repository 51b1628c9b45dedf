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
  /** Position among the messages of the HTTP request. */
  readonly index: number;
  readonly params: RpcParams;
  readonly credentials: CallCredentials;
  readonly responseBudget: ResponseBudget;
  /** Whether the caller can read a stored rest later. */
  readonly canStoreRest: boolean;
  /**
   * Whether the client uses the MCP transport: those clients refuse a null `nextCursor`. Source:
   * docs/decisions/mcp.md, "Absent, never null".
   */
  readonly speaksMcp: boolean;
  readonly version: ProtocolVersion;
  readonly traceContext: TraceContext | undefined;
  readonly trace: RpcTrace;
  readonly isTrial?: true;
  /** In a trial: the members and headers to show, and what was sent and answered. */
  readonly tried?: {
    readonly fields: readonly string[] | undefined;
    readonly headers: readonly string[] | undefined;
    chosen?: AnswerContent['chosen'];
    sent?: TargetRequest;
    answer?: TargetAnswer;
    secrets?: () => readonly SentCredential[];
  };
}

/** The log's fields for one message; never names that a caller made up. */
export interface RpcTrace {
  method: string;
  tool?: string;
  outcome: string;
  traceparent?: string;
  tracestate?: string;
  /** For the log only: why a credential was unavailable, or the rest of an answer could not be stored. */
  why?: string;
}

export interface MethodResult {
  /** JSON text of an object. */
  readonly text: string;
  /** Set for a result that only its caller may see, until then. */
  readonly privateUntil?: EpochSeconds;
  /** `serverInfo`, where it is more than the name. */
  readonly server?: object;
}

/** @throws RpcRefusal */
export type Method = (ports: MethodPorts, call: RpcCall) => Promise<MethodResult>;

/** Without the logs: tool calls write records only by the `WriteRecord` that they get. */
export type CallPorts = Omit<MethodPorts, 'callLog' | 'recordingLog'>;

export type WriteRecord = (record: LoggedCall) => void;

/** @throws RpcRefusal */
export type ToolCall = (
  ports: CallPorts,
  call: RpcCall,
  write: WriteRecord,
) => Promise<ToolCallResult>;

export interface ToolCallResult {
  readonly result: ToolResult;
  /** The result as JSON text, with `structuredContent` if it has any. */
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
  /** From the HTTP request, for messages without their own. */
  readonly traceContext: TraceContext | undefined;
  /** Whether `Accept` allows an event stream, which MCP clients must. */
  readonly acceptsEvents: boolean;
}

export interface RpcReply {
  /** JSON text; undefined for a body of notifications and responses. */
  readonly text: string | undefined;
  /** `malformed`: nothing in the body was a valid message. */
  readonly end: 'answered' | 'malformed' | 'unknown_method';
  readonly version: ProtocolVersion | undefined;
  readonly spoken: SpokenProtocol;
  readonly traces: readonly RpcTrace[];
}

export type Caller = Anonymous | TokenHolder;

/** A caller of a deployment of mode `none`. */
export interface Anonymous {
  readonly kind: 'anonymous';
  /** An IPv4 address, or the /64 network of an IPv6 address. */
  readonly subject: string;
}

export interface TokenHolder extends CallIdentity {
  readonly kind: 'holder';
  /** Id of a user, or a subject derived from an external issuer's `sub`. */
  readonly subject: string;
  /** The user's own plan, or the owner's for tokens that name no user of the service. */
  readonly plan: Plan;
  /** Key by which requests are counted, where it is not `subject`. */
  readonly usage?: string;
  /** Key of the total that several callers share under one plan. */
  readonly totalUsage?: string;
  readonly scopes: readonly ToolScope[];
  /** The presented access token, if it names a user of the service. */
  readonly bearer?: Bearer;
  /** Where a client starts a login for more scopes. */
  readonly resourceMetadataUrl?: string;
}

/** For records of who did something. */
export interface Sender {
  readonly ip: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
}

export interface CallCredentials {
  /**
   * The credentials for an operation, by default all. Each is read once per request, however often it is needed.
   * @throws CredentialUnavailable, TokenUnavailable
   */
  readonly of: (
    operation?: Pick<Operation, 'security' | 'serverUrl'>,
  ) => Promise<readonly HeldCredential[]>;
  /** All credentials cached in this instance, replaced ones included; reads nothing. Used for masking. */
  readonly held: () => readonly SentCredential[];
}

export interface HeldCredential {
  readonly name: CredentialName;
  readonly described: DeploymentCredential;
  readonly credential: SentCredential;
  /** The credential with a new token after the target refused this one, if there is one. @throws TokenUnavailable */
  readonly renewed?: () => Promise<HeldCredential>;
}

/** Bytes that the results of one HTTP request may take, and turns for long answers. */
export interface ResponseBudget {
  left(): number;
  take(result: ToolResult): void;
  longAnswer(): LongAnswer;
}

/**
 * A turn to read an answer that is too long for a result. Such an answer takes several times its size in memory until
 * its rest is stored, so that the calls of a batch take turns.
 */
export interface LongAnswer {
  /** Resolves when earlier turns have ended. Calling it again is harmless. */
  begin(): Promise<void>;
  /** Does nothing before `begin`. */
  end(): void;
}
