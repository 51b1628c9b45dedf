import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** By what a stack signs in at the service. */
export type SignIn =
  | {
      /** A secret with a personal access token of scope `declare`. */
      readonly token: ISecret;
    }
  | {
      /** Id of a trust in the role of the stack's function: then there is no secret anywhere. */
      readonly trust: string;
      /** The name that the role gets, which the trust names: `npx --no-install hosted-mcp trust add … --role-arn`. */
      readonly roleName: string;
    };

/** The service that servers are declared at. */
export interface IHostedMcp {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly signIn: SignIn;
}

export type HostedMcpServiceProps = SignIn & {
  /** Ends in `/v1`; an output of the stack of the service. */
  readonly baseUrl: string;
};

/** A service that runs already, in this account or another. */
export class HostedMcpService extends Construct implements IHostedMcp {
  public readonly baseUrl: string;
  public readonly signIn: SignIn;

  public constructor(scope: Construct, id: string, { baseUrl, ...signIn }: HostedMcpServiceProps) {
    super(scope, id);
    this.baseUrl = baseUrl;
    this.signIn = signIn;
  }
}
