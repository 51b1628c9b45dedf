import type * as z from 'zod';
import type { Wanted } from '../iam/access-control.ts';
import { readInput } from './input.ts';
import { AwsError, type EndpointErrorCodes } from './aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from './service.ts';
import { isObject } from '../../../layers/platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../../layers/platform/rules/json/parsed-json.ts';

export type Json = Readonly<Record<string, unknown>>;

export const JSON_ERRORS: EndpointErrorCodes = {
  unsigned: ['MissingAuthenticationTokenException', 403],
  'unknown-caller': ['UnrecognizedClientException', 400],
  'forbidden-origin': ['AccessDeniedException', 403],
  'too-large': ['RequestEntityTooLargeException', 413],
  denied: ['AccessDeniedException', 400],
  throttled: ['ThrottlingException', 400],
  failed: ['InternalServerError', 500],
};

export interface JsonServiceParts {
  readonly signingName: string;
  /** Beginning of `x-amz-target`, before the dot and the operation. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly maxBodyBytes: number;
  readonly operations: Readonly<Record<string, JsonOperation>>;
}

/** Errors of an operation are AwsErrors. */
export interface JsonOperation {
  run(input: Json): Promise<object>;
  accesses(input: Json): readonly Wanted[];
}

/** An operation whose input is read with a schema before it runs. */
export const jsonOperation = <Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>) => object | Promise<object>,
  accesses: (input: z.output<Schema>) => readonly Wanted[],
): JsonOperation => ({
  run: async (input) => run(readInput(schema, input)),
  accesses: (input) => accesses(readInput(schema, input)),
});

/** A service of the AWS JSON protocol: POST, the operation in `x-amz-target`. */
export const jsonService = (parts: JsonServiceParts): AwsService => {
  const operations = new Map(Object.entries(parts.operations));
  const contentType = `application/x-amz-json-${parts.version}`;
  return {
    signingName: parts.signingName,
    maxBodyBytes: parts.maxBodyBytes,
    endpointErrors: JSON_ERRORS,
    operationOf: ({ method, headers }) => {
      const [target, name = ''] = String(headers['x-amz-target'] ?? '').split('.', 2);
      const operation = operations.get(name);
      if (method !== 'POST' || target !== parts.target || !operation) {
        throw new AwsError('UnknownOperationException', 'The operation is not implemented.');
      }
      let input: Json | undefined;
      const inputOf = (request: AwsRequest) => (input ??= readJson(request));
      return {
        name,
        accesses: (request) => operation.accesses(inputOf(request)),
        run: async (request) => ({
          status: 200,
          headers: { 'content-type': contentType },
          body: JSON.stringify(await operation.run(inputOf(request))),
        }),
      };
    },
    errorReply: (error) => jsonErrorReply(error, contentType),
  };
};

/** @throws AwsError unless the body is a JSON object */
export const readJson = ({ body }: Pick<AwsRequest, 'body'>): Json => {
  const input = jsonOrUndefined(body.toString('utf8'));
  if (isObject(input)) return input;
  throw new AwsError('SerializationException', 'The request body is not a JSON object.');
};

export const jsonErrorReply = (
  { code, message, status, members }: AwsError,
  contentType = 'application/json',
): AwsReply => ({
  status,
  headers: { 'content-type': contentType, 'x-amzn-errortype': code },
  body: JSON.stringify({ __type: code, message, ...members }),
});
