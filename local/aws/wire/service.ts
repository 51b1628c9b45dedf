import type { IncomingHttpHeaders } from 'node:http';
import type { Wanted } from '../iam/access-control.ts';
import type { AwsError, EndpointErrorCodes } from './aws-error.ts';

export interface RequestHead {
  readonly method: string;
  /** As sent: neither decoded nor normalized, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export interface AwsRequest extends RequestHead {
  readonly body: Buffer;
}

export interface AwsReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface AwsOperation {
  readonly name: string;
  /** Permissions that the caller needs. @throws AwsError for a request that cannot be read */
  accesses(request: AwsRequest): readonly Wanted[];
  /** @param permits - whether the caller may do something else, too @throws AwsError */
  run(request: AwsRequest, permits: (wanted: Wanted) => boolean): Promise<AwsReply>;
}

export interface AwsService {
  /** Name in the credential scope of signatures, which tells the services apart. */
  readonly signingName: string;
  readonly maxBodyBytes: number;
  readonly endpointErrors: EndpointErrorCodes;
  /** @throws AwsError for an operation that is not implemented */
  operationOf(head: RequestHead): AwsOperation;
  errorReply(error: AwsError): AwsReply;
  /** The service's error for a throttled or conflicting call; undefined if the endpoint's is right, or none is. */
  ownError?(
    fault: 'throttled' | 'conflicted',
    operation: string,
    request: AwsRequest,
  ): AwsError | undefined;
}
