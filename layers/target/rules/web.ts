import type { TargetRequest, TargetAnswer, Trust } from './target.ts';

/** Client for target APIs, with the SSRF guard. */
export interface TargetApi {
  /**
   * @param longAnswer - awaited once before more than `maxBytes` is read; by default at once
   * @throws NoAnswer if there is no HTTP answer at all
   */
  send(
    deploymentId: string,
    request: TargetRequest,
    longAnswer?: () => Promise<void>,
  ): Promise<TargetAnswer>;
}

export interface DocumentTerms extends Trust {
  readonly maxBytes: number;
  /** Shortened if less time is left. */
  readonly timeoutSeconds: number;
  /** Reserved from the time left, for processing the document; 0 by default. */
  readonly keepsSeconds?: number;
}
