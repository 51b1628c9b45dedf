import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { refusal } from './refusal.ts';

const ID = 'HostedMcpProvider';
const SECONDS = 240;
/** CloudFormation's timeout for a server: an event that has not begun by then is dropped. */
const MOST_AGE_SECONDS = 300;

/** The provider's function may read declarations and secrets of its stack's servers, and nothing else. */
export class Provider extends Construct {
  public readonly handler: Function;
  private readonly reads = new PolicyStatement({ actions: ['s3:GetObject'] });
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
      maxEventAge: Duration.seconds(MOST_AGE_SECONDS),
    });
  }

  /** Grants one object, since the bucket holds what all apps of the account deploy. */
  public letRead({ bucket, s3ObjectKey }: Asset): void {
    if (this.reads.resources.length === 0) this.handler.addToRolePolicy(this.reads);
    this.reads.addResources(bucket.arnForObjects(s3ObjectKey));
  }

  /**
   * Lets the function read a secret, and decrypt it where it has a key of its own: of a key that another stack made, the
   * CDK grants nothing, since it cannot change the key's policy.
   */
  public letReadSecret(secret: ISecret): void {
    secret.grantRead(this.handler);
    const { encryptionKey, env } = secret;
    if (!encryptionKey) return;
    const { urlSuffix } = Stack.of(this);
    this.handler.addToRolePolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt'],
        resources: [encryptionKey.keyArn],
        conditions: {
          StringEquals: { 'kms:ViaService': `secretsmanager.${env.region}.${urlSuffix}` },
        },
      }),
    );
  }

  /** The provider of the scope's stack. @param roleName - of its role; a second name is refused */
  public static of(scope: Construct, roleName: string | undefined): Provider {
    const stack = Stack.of(scope);
    const found = stack.node.tryFindChild(ID) as Provider | undefined;
    if (found && found.roleName !== roleName) {
      throw refusal(
        scope,
        'the servers of a stack sign in by one role; put this one into a stack of its own.',
      );
    }
    return found ?? new Provider(stack, roleName);
  }
}
