/** What the service and a function's thread say to each other. Events and results travel as JSON. */
export type ToThread =
  | {
      readonly type: 'start';
      readonly environment: Readonly<Record<string, string>>;
      /** Second argument of the entry's `start`. */
      readonly options: unknown;
    }
  | Invoke
  | { readonly type: 'ping' };

export interface Invoke {
  readonly type: 'invoke';
  readonly id: number;
  readonly event: string;
}

export type FromThread =
  | { readonly type: 'started' }
  | { readonly type: 'not-started'; readonly reason: string }
  | { readonly type: 'result'; readonly id: number; readonly result: string }
  | { readonly type: 'error'; readonly id: number; readonly reason: string }
  /** Lines have been written since the one before. */
  | { readonly type: 'logged' }
  | { readonly type: 'pong' };

export interface ThreadData {
  /** URL of the entry module. */
  readonly entry: string;
  readonly functionName: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  readonly log: ThreadLog | undefined;
  /** The id of the latest invocation that the thread has in its hands: what was sent later has had no effect. */
  readonly received: Int32Array;
}

export interface ThreadLog {
  readonly folder: string;
  readonly retentionDays: number;
  /** On standard error, too. */
  readonly isShown: boolean;
}
