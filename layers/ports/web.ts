import type { TargetAnswer, TargetRequest } from '../target/rules/target.ts';

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

/** The same guard, for documents that the service itself fetches (`openapi_url`, JWKS, client metadata). */
export interface Web {
  /** GET, following redirects through the guard. @throws NoAnswer; DeadlineExceeded where it had too little time */
  fetch(url: string, limits: FetchLimits): Promise<TargetAnswer>;
  /** GET with headers of somebody's, which go to that origin alone. @throws as `fetch` */
  fetchWith(
    headers: Readonly<Record<string, string>>,
    url: string,
    limits: FetchLimits,
  ): Promise<TargetAnswer>;
  /** GET of this very address: a redirect is the answer. @throws NoAnswer; DeadlineExceeded */
  fetchExactly(url: string, limits: FetchLimits): Promise<TargetAnswer>;
}

interface FetchLimits {
  readonly maxBytes: number;
  /** Less where less time is left. */
  readonly timeoutSeconds: number;
  /** Of the time that is left, for what is to be done with the document; none if omitted. */
  readonly keepsSeconds?: number;
}
