/** What the service and a function's thread say to each other. Events and results travel as JSON. */
export type ToThread =
  | {
      readonly type: 'start';
      readonly environment: Readonly<Record<string, string>>;
      /** Second argument of the entry's `start`. */
      readonly options: unknown;
    }
  | { readonly type: 'invoke'; readonly id: number; readonly event: string }
  | { readonly type: 'ping' };

export type FromThread =
  | { readonly type: 'started' }
  | { readonly type: 'not-started'; readonly reason: string }
  /** The invocation is in the thread's hands; one that was sent before and not received has had no effect. */
  | { readonly type: 'received'; readonly id: number }
  | { readonly type: 'result'; readonly id: number; readonly result: string }
  | { readonly type: 'error'; readonly id: number; readonly reason: string }
  /** What the function has written; before the result of what wrote it, so that no answer is ahead of it. */
  | { readonly type: 'output'; readonly chunk: Uint8Array }
  | { readonly type: 'pong' };

export interface ThreadData {
  /** URL of the entry module. */
  readonly entry: string;
  readonly functionName: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
}
