import type { TargetAnswer, TargetRequest } from '../domain/target/target.ts';

/** The guarded client towards target APIs. */
export interface TargetApi {
  /**
   * @throws NoAnswer if there is no HTTP answer at all
   */
  send(deploymentId: string, request: TargetRequest): Promise<TargetAnswer>;
}

/** The same guard, for documents that the service itself fetches (`openapi_url`, JWKS, client metadata). */
export interface Web {
  /** GET, following redirects through the guard. @throws NoAnswer */
  fetch(url: string, limits: { maxBytes: number; timeoutSeconds: number }): Promise<TargetAnswer>;
  /** GET of this very address: a redirect is the answer. @throws NoAnswer */
  fetchExactly(
    url: string,
    limits: { maxBytes: number; timeoutSeconds: number },
  ): Promise<TargetAnswer>;
}
