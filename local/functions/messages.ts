/** Messages between the service and a function's thread. Events and results are JSON. */
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
  /** Lines have been written since the message before. */
  | { readonly type: 'logged' }
  | { readonly type: 'pong' };

export interface ThreadData {
  readonly entry: string;
  readonly functionName: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  readonly log: ThreadLog | undefined;
  /** Id of the latest invocation that the thread has begun: those after it have had no effect. */
  readonly received: Int32Array;
}

export interface ThreadLog {
  readonly folder: string;
  readonly retentionDays: number;
  /** Whether lines also go to standard error. */
  readonly isShown: boolean;
}
