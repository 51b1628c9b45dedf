import { CfnResource, Lazy, RemovalPolicy, type RemovalPolicyOptions } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { refusal } from './refusal.ts';

export interface DeclaredServerProps {
  readonly serviceToken: string;
  readonly removalPolicy: RemovalPolicy;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Timeout in seconds: more than the function has, and far less than CloudFormation's default of an hour. */
const SERVICE_TIMEOUT = '300';

/**
 * The server's removal policy goes to the function, which hears of a removal only if CloudFormation sees DELETE.
 * Source: AWS CloudFormation User Guide, "DeletionPolicy attribute".
 */
export class DeclaredServer extends CfnResource {
  private removal: 'destroy' | 'retain' = 'retain';
  private readonly server: Construct;

  public constructor(scope: Construct, id: string, props: DeclaredServerProps) {
    super(scope, id, {
      type: 'Custom::HostedMcpServer',
      properties: {
        ServiceToken: props.serviceToken,
        ServiceTimeout: SERVICE_TIMEOUT,
        ...props.properties,
        Removal: Lazy.string({ produce: () => this.removal }),
      },
    });
    this.server = scope;
    super.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.applyRemovalPolicy(props.removalPolicy);
  }

  public override applyRemovalPolicy(
    policy: RemovalPolicy | undefined,
    { default: otherwise }: RemovalPolicyOptions = {},
  ): void {
    const wanted = policy ?? otherwise ?? RemovalPolicy.RETAIN;
    switch (wanted) {
      case RemovalPolicy.DESTROY:
        this.removal = 'destroy';
        return;
      case RemovalPolicy.RETAIN:
      case RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE:
        this.removal = 'retain';
        return;
      default:
        throw refusal(
          this.server,
          `the policy of removal is ${wanted}, and there are no snapshots of servers: write RemovalPolicy.RETAIN or DESTROY.`,
        );
    }
  }
}
