import { arnOf } from '../account.ts';
import { AwsError } from '../wire/aws-error.ts';
import { restService } from '../wire/rest.ts';
import type { AwsReply, AwsRequest, AwsService } from '../wire/service.ts';
import { type Events, type EventsOptions, openEvents } from './events.ts';
import type { InvokeHandler, InvokeResult } from './invocation.ts';
import { jsonOrUndefined } from '../../../layers/platform/rules/json/parsed-json.ts';

const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;
/** Newer accounts may send four times as much. An event of this size may be sent everywhere. */
const MAX_EVENT_BYTES = 256 * 1024;

export interface EmbeddedLambda {
  readonly service: AwsService;
  readonly events: Events;
  /** Sets the handler of invocations; before, no function exists. @param exists - says which do; without it, all do */
  onInvoke(handler: InvokeHandler, exists?: (functionName: string) => boolean): void;
}

/** Lambda: only Invoke, of the types RequestResponse and Event, passed to whoever runs the functions. */
export const openLambda = async (
  options: Omit<EventsOptions, 'invoke'>,
): Promise<EmbeddedLambda> => {
  let handler: InvokeHandler = () => Promise.resolve(undefined);
  let exists = (_functionName: string): boolean => false;
  const events = await openEvents({ ...options, invoke: (...sent) => handler(...sent) });
  return {
    events,
    onInvoke: (next, known = () => true) => {
      handler = next;
      exists = known;
    },
    service: restService({
      signingName: 'lambda',
      maxBodyBytes: MAX_PAYLOAD_BYTES,
      endpointErrors: {
        'too-large': ['RequestTooLargeException', 413],
        denied: ['AccessDeniedException', 403],
        throttled: ['TooManyRequestsException', 429],
        failed: ['ServiceException', 500],
      },
      operation: {
        name: 'Invoke',
        path: /^\/2015-03-31\/functions\/([^/]+)\/invocations$/,
        accesses: (_request, name) => [
          {
            action: 'lambda:InvokeFunction',
            resource: arnOf('lambda', options.region, `function:${name}`),
            context: {},
          },
        ],
        run: (request, name) => invoke({ handler, exists, events }, name, request),
      },
    }),
  };
};

/** Headers of the members that ask for a log or a context. */
const NOT_IMPLEMENTED = ['x-amz-log-type', 'x-amz-client-context'] as const;

interface Invocations {
  readonly handler: InvokeHandler;
  readonly exists: (functionName: string) => boolean;
  readonly events: Events;
}

const invoke = async (
  { handler, exists, events }: Invocations,
  sentName: string,
  { headers, query, body }: AwsRequest,
): Promise<AwsReply> => {
  const [, functionName, qualifier] = /^([\w-]{1,64})(?::([\w$-]+))?$/.exec(sentName) ?? [];
  if (functionName === undefined) {
    throw new AwsError('InvalidParameterValueException', 'The function name is not valid.');
  }
  const other = NOT_IMPLEMENTED.find((header) => headers[header] !== undefined);
  const type = headers['x-amz-invocation-type'] ?? 'RequestResponse';
  const isEvent = type === 'Event';
  if (other !== undefined || query.size > 0 || (!isEvent && type !== 'RequestResponse')) {
    const what = other ?? [`the invocation type ${String(type)}`, ...query.keys()].join(', ');
    throw new AwsError('InvalidParameterValueException', `${what} is not implemented here.`);
  }
  const payload = jsonOf(body);
  if (!isEvent) return replyOf(functionName, await handler(functionName, payload, qualifier));
  if (body.length > MAX_EVENT_BYTES) {
    throw new AwsError('RequestTooLargeException', 'The event is too large.', 413);
  }
  if (!exists(functionName)) return replyOf(functionName, undefined);
  await events.accept({ functionName, qualifier, payload });
  return { status: 202 };
};

const replyOf = (name: string, result: InvokeResult | undefined): AwsReply => {
  if (!result) {
    throw new AwsError('ResourceNotFoundException', `Function not found: ${name}`, 404);
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

const jsonOf = (body: Buffer): string => {
  const text = body.length === 0 ? '{}' : body.toString('utf8');
  if (jsonOrUndefined(text) !== undefined) return text;
  throw new AwsError('InvalidRequestContentException', 'Could not parse payload into json');
};
