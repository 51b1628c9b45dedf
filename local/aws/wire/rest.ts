import { JSON_REFUSALS, refuseAsJson } from './json.ts';
import { AwsRefusal, type FrontRefusals } from './refusal.ts';
import type { AwsReply, AwsRequest, AwsService, RequestHead } from './service.ts';

export interface RestOperation {
  readonly name: string;
  readonly method: string;
  /** Matches the path as it was sent; its groups are given to `run`, decoded. */
  readonly path: RegExp;
  /** @throws AwsRefusal */
  run(request: AwsRequest, parameters: readonly string[]): Promise<AwsReply>;
}

export interface RestServiceParts {
  readonly signingName: string;
  readonly maxBodyBytes: number;
  readonly operations: readonly RestOperation[];
  /** Where the service's codes differ from those of the JSON protocol. */
  readonly frontRefusals: Partial<FrontRefusals>;
}

/** A service of the AWS REST JSON protocol: method and path tell the operation. */
export const restService = (parts: RestServiceParts): AwsService => {
  const find = ({ method, path }: RequestHead) => {
    for (const operation of parts.operations) {
      const match = operation.path.exec(path);
      if (match && operation.method === method) {
        return { operation, parameters: match.slice(1).map(decoded) };
      }
    }
    throw new AwsRefusal('UnknownOperationException', 'The operation is not implemented.', 404);
  };
  return {
    signingName: parts.signingName,
    maxBodyBytes: parts.maxBodyBytes,
    frontRefusals: { ...JSON_REFUSALS, ...parts.frontRefusals },
    operationOf: (head) => find(head).operation.name,
    run: (_, request) => {
      const { operation, parameters } = find(request);
      return operation.run(request, parameters);
    },
    refuse: (refusal) => refuseAsJson(refusal),
  };
};

const decoded = (parameter: string | undefined): string => {
  try {
    return decodeURIComponent(parameter ?? '');
  } catch {
    throw new AwsRefusal('ValidationException', 'The path is not valid.');
  }
};
