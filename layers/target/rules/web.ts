import type { TargetRequest, TargetAnswer, Trust } from './target.ts';

/** The guarded client towards target APIs. */
export interface TargetApi {
  /**
   * @param longAnswer - resolves when more may be read than a result has room for; it is asked once, where
   *   there is more, and at once if omitted
   * @throws NoAnswer if there is no HTTP answer at all
   */
  send(
    deploymentId: string,
    request: TargetRequest,
    longAnswer?: () => Promise<void>,
  ): Promise<TargetAnswer>;
}

/** What holds for fetching one document. */
export interface DocumentTerms extends Trust {
  readonly maxBytes: number;
  /** Less where less time is left. */
  readonly timeoutSeconds: number;
  /** Of the time that is left, for what is to be done with the document; none if omitted. */
  readonly keepsSeconds?: number;
}
