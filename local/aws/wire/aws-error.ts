/** The error that a service answers; each protocol has its own form for it on the wire. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly status: number;
  /** Members of the answer besides code and message. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    status = 400,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.members = members;
  }
}

/** Errors that the endpoint itself answers, before or around a service. */
export type EndpointErrorKind =
  | 'unsigned'
  | 'unknown-caller'
  | 'forbidden-origin'
  | 'too-large'
  | 'denied'
  | 'throttled'
  | 'failed';

export type EndpointErrorCodes = Readonly<
  Record<EndpointErrorKind, readonly [code: string, status: number]>
>;

const MESSAGES: Readonly<Record<EndpointErrorKind, string>> = {
  unsigned: 'Request is missing Authentication Token',
  'unknown-caller': 'The security token included in the request is invalid.',
  'forbidden-origin': 'Requests from browsers are not accepted.',
  'too-large': 'The request body is too large.',
  denied: 'The caller is not authorized to perform this operation.',
  throttled: 'Rate exceeded',
  failed: 'The service failed to process the request.',
};

export const endpointError = (codes: EndpointErrorCodes, kind: EndpointErrorKind): AwsError => {
  const [code, status] = codes[kind];
  return new AwsError(code, MESSAGES[kind], status);
};
