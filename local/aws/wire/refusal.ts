/** What a service answers instead of a result; each protocol gives it its own form on the wire. */
export class AwsRefusal extends Error {
  override readonly name = 'AwsRefusal';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** What the front itself refuses, before or around a service. */
export type FrontRefusal =
  | 'unsigned'
  | 'unknown-caller'
  | 'forbidden-origin'
  | 'too-large'
  | 'incomplete'
  | 'denied'
  | 'throttled'
  | 'failed';

export type FrontRefusals = Readonly<Record<FrontRefusal, readonly [code: string, status: number]>>;

const MESSAGES: Readonly<Record<FrontRefusal, string>> = {
  unsigned: 'Request is missing Authentication Token',
  'unknown-caller': 'The security token included in the request is invalid.',
  'forbidden-origin': 'Requests from browsers are not accepted.',
  'too-large': 'The request body is too large.',
  incomplete: 'The request body ended early.',
  denied: 'The caller is not authorized to perform this operation.',
  throttled: 'Rate exceeded',
  failed: 'The service failed to process the request.',
};

export const frontRefusal = (refusals: FrontRefusals, refusal: FrontRefusal): AwsRefusal => {
  const [code, status] = refusals[refusal];
  return new AwsRefusal(code, MESSAGES[refusal], status);
};
