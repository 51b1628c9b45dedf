import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** The service that servers are declared at. */
export interface IHostedMcp {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Holds a personal access token of scope `declare`. */
  readonly token: ISecret;
}

export interface HostedMcpServiceProps {
  /** Ends in `/v1`; an output of the stack of the service. */
  readonly baseUrl: string;
  /** A secret with a personal access token of scope `declare`, for the servers of this app alone. */
  readonly token: ISecret;
}

/** A service that runs already, in this account or another. */
export class HostedMcpService extends Construct implements IHostedMcp {
  public readonly baseUrl: string;
  public readonly token: ISecret;

  public constructor(scope: Construct, id: string, { baseUrl, token }: HostedMcpServiceProps) {
    super(scope, id);
    this.baseUrl = baseUrl;
    this.token = token;
  }
}
