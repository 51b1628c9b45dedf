import { AwsRefusal } from './wire/refusal.ts';
import { restService } from './wire/rest.ts';
import type { AwsReply, AwsRequest, AwsService } from './wire/service.ts';

const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;
const MAX_EVENT_BYTES = 1024 * 1024;

export interface InvokeResult {
  /** JSON. */
  readonly payload: string;
  /** Set if the function failed: `Handled` or `Unhandled`, the payload then tells why. */
  readonly functionError?: string;
}

/**
 * Where Invoke goes.
 *
 * @param payload - JSON
 * @param qualifier - the alias or version that was asked for
 * @returns `undefined` if there is no such function
 */
export type InvokeHandler = (
  functionName: string,
  payload: string,
  qualifier: string | undefined,
) => Promise<InvokeResult | undefined>;

export interface EmbeddedLambda {
  readonly service: AwsService;
  /** Until it is called, no function exists. */
  onInvoke(handler: InvokeHandler): void;
}

/** Lambda: Invoke alone, handed to whoever runs the functions. */
export const openLambda = (): EmbeddedLambda => {
  let handler: InvokeHandler = () => Promise.resolve(undefined);
  return {
    onInvoke: (next) => {
      handler = next;
    },
    service: restService({
      signingName: 'lambda',
      maxBodyBytes: MAX_PAYLOAD_BYTES,
      frontRefusals: {
        'too-large': ['RequestTooLargeException', 413],
        denied: ['AccessDeniedException', 403],
        throttled: ['TooManyRequestsException', 429],
        failed: ['ServiceException', 500],
      },
      operations: [
        {
          name: 'Invoke',
          method: 'POST',
          path: /^\/2015-03-31\/functions\/([^/]+)\/invocations$/,
          run: (request, [name = '']) => invoke(handler, targetOf(name, request), request),
        },
      ],
    }),
  };
};

const invoke = async (
  handler: InvokeHandler,
  { name, qualifier }: Target,
  { headers, body }: AwsRequest,
): Promise<AwsReply> => {
  const payload = jsonOf(body);
  switch (headers['x-amz-invocation-type'] ?? 'RequestResponse') {
    case 'RequestResponse':
      return replyOf(name, await handler(name, payload, qualifier));
    case 'Event':
      if (body.length > MAX_EVENT_BYTES) {
        throw new AwsRefusal('RequestTooLargeException', 'The event is too large.', 413);
      }
      // Nobody waits for what comes of it, as nobody would on AWS.
      handler(name, payload, qualifier).catch(() => undefined);
      return { status: 202 };
    default:
      throw new AwsRefusal('InvalidParameterValueException', 'The invocation type is not valid.');
  }
};

const replyOf = (name: string, result: InvokeResult | undefined): AwsReply => {
  if (!result) {
    throw new AwsRefusal('ResourceNotFoundException', `Function not found: ${name}`, 404);
  }
  const tooLarge = Buffer.byteLength(result.payload) > MAX_PAYLOAD_BYTES;
  const functionError = tooLarge ? 'Unhandled' : result.functionError;
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-amz-executed-version': '$LATEST',
      ...(functionError !== undefined && { 'x-amz-function-error': functionError }),
    },
    body: tooLarge ? TOO_LARGE : result.payload,
  };
};

const TOO_LARGE = JSON.stringify({
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
});

interface Target {
  readonly name: string;
  readonly qualifier: string | undefined;
}

/** A name, `account:function:name` or an ARN, each with or without a qualifier. */
const targetOf = (sent: string, { query }: AwsRequest): Target => {
  const form = /^(?:(?:arn:aws:lambda:[a-z0-9-]+:)?\d{12}:function:)?([\w-]{1,64})(?::([\w$-]+))?$/;
  const [, name, suffix] = form.exec(sent) ?? [];
  if (name === undefined) {
    throw new AwsRefusal('InvalidParameterValueException', 'The function name is not valid.');
  }
  return { name, qualifier: suffix ?? query.get('Qualifier') ?? undefined };
};

const jsonOf = (body: Buffer): string => {
  const text = body.length === 0 ? '{}' : body.toString('utf8');
  try {
    JSON.parse(text);
  } catch {
    throw new AwsRefusal('InvalidRequestContentException', 'Could not parse payload into json');
  }
  return text;
};
