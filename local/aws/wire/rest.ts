import type { Wanted } from '../iam/access-control.ts';
import { JSON_ERRORS, jsonErrorReply } from './json.ts';
import { AwsError, type EndpointErrorCodes } from './aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from './service.ts';

export interface RestServiceParts {
  readonly signingName: string;
  readonly maxBodyBytes: number;
  readonly endpointErrors: Partial<EndpointErrorCodes>;
  /** The only operation, which is called by POST. */
  readonly operation: {
    readonly name: string;
    readonly path: RegExp;
    run(request: AwsRequest, parameter: string): Promise<AwsReply>;
    accesses(request: AwsRequest, parameter: string): readonly Wanted[];
  };
}

/** A service of the AWS REST JSON protocol: method and path name the operation. */
export const restService = ({ operation, ...parts }: RestServiceParts): AwsService => ({
  signingName: parts.signingName,
  maxBodyBytes: parts.maxBodyBytes,
  endpointErrors: { ...JSON_ERRORS, ...parts.endpointErrors },
  operationOf: ({ method, path }) => {
    const match = operation.path.exec(path);
    if (!match || method !== 'POST') {
      throw new AwsError('UnknownOperationException', 'The operation is not implemented.', 404);
    }
    const parameter = decoded(match[1]);
    return {
      name: operation.name,
      accesses: (request) => operation.accesses(request, parameter),
      run: (request) => operation.run(request, parameter),
    };
  },
  errorReply: (error) => jsonErrorReply(error),
});

const decoded = (parameter = ''): string => {
  try {
    return decodeURIComponent(parameter);
  } catch {
    throw new AwsError('ValidationException', 'The path is not valid.');
  }
};
