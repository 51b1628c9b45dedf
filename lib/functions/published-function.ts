import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type IRole, Policy, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  CfnFunction,
  Code,
  Function as LambdaFunction,
  type IVersion,
  type LayerVersion,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { allow, TRACE } from '../permissions/statements.ts';
import type { Stage } from '../stage/stage.ts';

/** What all functions of a stage have in common. */
export interface CommonFunctionProps {
  readonly layer: LayerVersion;
  readonly traces: Stage['traces'];
  /** Keep the versions of former releases. */
  readonly retainVersions: boolean;
}

interface PublishedFunctionProps extends CommonFunctionProps {
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Folder of the bundle. */
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly role: IRole;
  readonly logGroup: LogGroup;
  /** What its role may do beyond writing its log. */
  readonly grants: readonly PolicyStatement[];
  readonly vpcConfig?: CfnFunction.VpcConfigProperty;
  readonly reservedConcurrency?: number | undefined;
  readonly provisionedConcurrency?: number | undefined;
}

/** A function with the permissions of its role, published as a version. @returns the alias of that version, `live` */
export const publishedFunction = (scope: Construct, props: PublishedFunctionProps): Alias => {
  const { layer, traces, role, logGroup, reservedConcurrency, provisionedConcurrency } = props;
  const policy = new Policy(scope, 'Grants', {
    roles: [role],
    statements: [
      allow('WriteOwnLogs', [logGroup.logGroupArn], ['logs:CreateLogStream', 'logs:PutLogEvents']),
      ...props.grants,
      ...(traces === 'xray' ? [TRACE] : []),
    ],
  });
  const lambda = new LambdaFunction(scope, 'Function', {
    description: props.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(props.bundle),
    handler: 'index.handler',
    layers: [layer],
    memorySize: props.memoryMb,
    timeout: Duration.seconds(props.timeoutSeconds),
    ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    environment: props.environment,
    role,
    logGroup,
    loggingFormat: LoggingFormat.TEXT,
    ...(props.retainVersions && {
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    }),
  });
  // As properties of the resource: CDK would look the VPC up, and add policies to the role, which is in another stack.
  const resource = lambda.node.defaultChild as CfnFunction;
  if (props.vpcConfig) resource.vpcConfig = props.vpcConfig;
  if (traces === 'xray') resource.tracingConfig = { mode: Tracing.ACTIVE };
  lambda.node.addDependency(policy);
  return new Alias(scope, 'Live', {
    aliasName: 'live',
    version: lambda.currentVersion as IVersion,
    ...(provisionedConcurrency !== undefined && {
      provisionedConcurrentExecutions: provisionedConcurrency,
    }),
  });
};
