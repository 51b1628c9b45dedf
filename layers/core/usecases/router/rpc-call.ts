import type { Deployment } from '../../domain/deployment.ts';
import type { RpcParams } from '../../domain/rpc/index.ts';
import type { Ports } from '../../ports.ts';
import type { Caller } from './caller.ts';
import type { CredentialOf } from './credential-of.ts';

export type MethodPorts = Pick<
  Ports,
  | 'clock'
  | 'events'
  | 'prompts'
  | 'resources'
  | 'searchIndexes'
  | 'targetApi'
  | 'toolCounts'
  | 'toolIndexes'
>;

/** One request to a method. */
export interface RpcCall {
  readonly deployment: Deployment;
  readonly caller: Caller;
  readonly params: RpcParams;
  readonly credential: CredentialOf;
  /**
   * Whether the client names its protocol version, as all do that refuse a null `nextCursor`.
   * Source: D4.
   */
  readonly namesVersion: boolean;
  readonly trace: RpcTrace;
}

/** What the log says about one message; only names that the service knows itself. */
export interface RpcTrace {
  method: string;
  tool?: string;
  outcome: string;
  /** For the log only: what kept the credential from us. */
  why?: string;
}

/** @returns the result as JSON text @throws RpcRefusal */
export type Method = (ports: MethodPorts, call: RpcCall) => Promise<string>;
