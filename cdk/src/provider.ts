import { join } from 'node:path';
import { Duration, Stack } from 'aws-cdk-lib';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';

const ID = 'HostedMcpProvider';
const SECONDS = 240;

/**
 * The function that applies declarations: one in a stack. It may read the declarations and secrets of the servers of
 * the stack, and nothing else.
 */
export class Provider extends Construct {
  public readonly handler: Function;

  private constructor(scope: Stack) {
    super(scope, ID);
    this.handler = new Function(this, 'Function', {
      description: 'Applies the declarations of MCP servers at Hosted MCP',
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromAsset(join(import.meta.dirname, 'provider')),
      memorySize: 256,
      timeout: Duration.seconds(SECONDS),
      logGroup: new LogGroup(this, 'Logs', {
        retention: RetentionDays.ONE_MONTH,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
  }

  public static of(scope: Construct): Provider {
    const stack = Stack.of(scope);
    const found = stack.node.tryFindChild(ID);
    return found ? (found as Provider) : new Provider(stack);
  }
}
