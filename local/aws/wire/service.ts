import type { IncomingHttpHeaders } from 'node:http';
import type { AwsRefusal, FrontRefusals } from './refusal.ts';

export interface RequestHead {
  readonly method: string;
  /** As sent: neither decoded nor normalized, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export interface AwsRequest extends RequestHead {
  /** The function whose access key signed the request. */
  readonly caller: string;
  readonly body: Buffer;
}

export interface AwsReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One AWS service as the front sees it. */
export interface AwsService {
  /** The service's name in the credential scope of a signature: it tells the services apart. */
  readonly signingName: string;
  readonly maxBodyBytes: number;
  readonly frontRefusals: FrontRefusals;
  /** @throws AwsRefusal for what is not implemented */
  operationOf(head: RequestHead): string;
  /** @throws AwsRefusal */
  run(operation: string, request: AwsRequest): Promise<AwsReply>;
  refuse(refusal: AwsRefusal): AwsReply;
}
