import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

const ID = 'HostedMcpProvider';
const SECONDS = 240;

/**
 * The function that applies declarations: one in a stack. It may read the declarations and secrets of the servers of
 * the stack, and nothing else.
 */
export class Provider extends Construct {
  public readonly handler: Function;
  private readonly roleName: string | undefined;

  private constructor(scope: Stack, roleName: string | undefined) {
    super(scope, ID);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: 'Of the function that applies declarations of MCP servers',
      ...(roleName !== undefined && { roleName }),
    });
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(role);
    this.roleName = roleName;
    this.handler = new Function(this, 'Function', {
      description: 'Applies the declarations of MCP servers at Hosted MCP',
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromAsset(join(import.meta.dirname, 'provider')),
      memorySize: 256,
      timeout: Duration.seconds(SECONDS),
      role,
      logGroup,
    });
  }

  /** That of the stack. @param roleName - what its role is called; another one there is refused */
  public static of(scope: Construct, roleName: string | undefined): Provider {
    const stack = Stack.of(scope);
    const found = stack.node.tryFindChild(ID) as Provider | undefined;
    if (found && found.roleName !== roleName) {
      throw new Error(
        `${scope.node.path}: the servers of a stack sign in by one role; put this one into a stack of its own.`,
      );
    }
    return found ?? new Provider(stack, roleName);
  }
}
