export interface TimeLeft {
  /** Milliseconds, without the time to send the answer; 0: nothing more may be started. */
  ms(): number;
  /** Aborts when that time is over; to be used for every wait on a neighbour. Undefined outside of invocations. */
  signal(): AbortSignal | undefined;
  /** Last resort for other waits: gives up shortly before the answer must be sent. @throws DeadlineExceeded */
  orGiveUp<Result>(work: () => Promise<Result>): Promise<Result>;
}
