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
  /** As AWS names it, `GetItem`. */
  readonly name: string;
  /** What the caller must be allowed. @throws AwsError for a request that cannot be read */
  accesses(request: AwsRequest): readonly Wanted[];
  /** @param permits - whether the caller is allowed something besides @throws AwsError */
  run(request: AwsRequest, permits: (wanted: Wanted) => boolean): Promise<AwsReply>;
}

export interface AwsService {
  /** The service's name in the credential scope of a signature: it tells the services apart. */
  readonly signingName: string;
  readonly maxBodyBytes: number;
  readonly endpointErrors: EndpointErrorCodes;
  /** @throws AwsError for what is not implemented */
  operationOf(head: RequestHead): AwsOperation;
  errorReply(error: AwsError): AwsReply;
  /**
   * What the service itself says where a call is refused for its number, or meets a transaction that is under way;
   * `undefined` where the endpoint says it, or the call need not wait.
   */
  ownError?(
    fault: 'throttled' | 'conflicted',
    operation: string,
    request: AwsRequest,
  ): AwsError | undefined;
}
