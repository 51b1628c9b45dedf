import type { SentParameters } from '../../../platform/rules/sent-parameters.ts';

/** A request to /token, whose grant type is known. */
export interface TokenRequest {
  readonly sent: SentParameters;
  /** The header. */
  readonly authorization: string | undefined;
  /** The client's address. */
  readonly sourceIp: string;
}
