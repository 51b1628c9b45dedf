/** How long the invocation that asks may still take. */
export interface TimeLeft {
  /** Milliseconds, without those that the answer itself takes; 0 when nothing more may be begun. */
  ms(): number;
  /** Aborts when they are over: for every wait on a neighbour. Undefined outside of an invocation. */
  signal(): AbortSignal | undefined;
  /**
   * The last resort, for what waits for something else: gives work up just before the answer has to go out.
   *
   * @throws DeadlineExceeded
   */
  orGiveUp<Result>(work: () => Promise<Result>): Promise<Result>;
}
