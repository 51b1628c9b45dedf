/** An answer as it is kept for repetitions of its request. */
export interface StoredReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}
