import { AwsRefusal, type FrontRefusals } from './refusal.ts';
import type { AwsReply, AwsRequest, AwsService } from './service.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Codes as the JSON protocols of AWS spell them. */
export const JSON_REFUSALS: FrontRefusals = {
  unsigned: ['MissingAuthenticationTokenException', 403],
  'unknown-caller': ['UnrecognizedClientException', 400],
  'forbidden-origin': ['AccessDeniedException', 403],
  'too-large': ['RequestEntityTooLargeException', 413],
  incomplete: ['SerializationException', 400],
  denied: ['AccessDeniedException', 400],
  throttled: ['ThrottlingException', 400],
  failed: ['InternalServerError', 500],
};

export interface JsonServiceParts {
  readonly signingName: string;
  /** What `x-amz-target` starts with, before the dot and the operation. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly maxBodyBytes: number;
  readonly operations: Readonly<Record<string, JsonOperation>>;
}

/** @throws AwsRefusal */
export type JsonOperation = (input: Json, caller: string) => Promise<object>;

/** A service of the AWS JSON protocol: POST, the operation in `x-amz-target`. */
export const jsonService = (parts: JsonServiceParts): AwsService => {
  const operations = new Map(Object.entries(parts.operations));
  const contentType = `application/x-amz-json-${parts.version}`;
  return {
    signingName: parts.signingName,
    maxBodyBytes: parts.maxBodyBytes,
    frontRefusals: JSON_REFUSALS,
    operationOf: ({ method, headers }) => {
      const [target, operation = ''] = String(headers['x-amz-target'] ?? '').split('.', 2);
      if (method !== 'POST' || target !== parts.target || !operations.has(operation)) {
        throw new AwsRefusal('UnknownOperationException', 'The operation is not implemented.');
      }
      return operation;
    },
    run: async (operation, request) => {
      const output = await operations.get(operation)!(readJson(request), request.caller);
      return {
        status: 200,
        headers: { 'content-type': contentType },
        body: JSON.stringify(output),
      };
    },
    refuse: (refusal) => refuseAsJson(refusal, contentType),
  };
};

/** @throws AwsRefusal unless the body is a JSON object */
export const readJson = ({ body }: Pick<AwsRequest, 'body'>): Json => {
  let input: unknown;
  try {
    input = JSON.parse(body.toString('utf8'));
  } catch {
    throw notAnObject();
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw notAnObject();
  return input as Json;
};

const notAnObject = () =>
  new AwsRefusal('SerializationException', 'The request body is not a JSON object.');

export const refuseAsJson = (
  { code, message, status }: AwsRefusal,
  contentType = 'application/json',
): AwsReply => ({
  status,
  headers: { 'content-type': contentType, 'x-amzn-errortype': code },
  body: JSON.stringify({ __type: code, message }),
});
