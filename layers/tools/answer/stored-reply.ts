/** The stored answer to a request with an idempotency key, which repetitions of the request get. */
export interface StoredReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}
