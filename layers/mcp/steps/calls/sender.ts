/** What the gateway saw of a request, for those who must say later on whose behalf they acted. */
export interface Sender {
  readonly ip: string;
  readonly userAgent: string | undefined;
  /** The correlation id. */
  readonly requestId: string;
}
