import type { SentParameters } from '../../../domain/oauth/index.ts';

/** A request to /token, whose grant type is known. */
export interface TokenRequest {
  readonly sent: SentParameters;
  /** The header. */
  readonly authorization: string | undefined;
  /** The client's address. */
  readonly sourceIp: string;
}
