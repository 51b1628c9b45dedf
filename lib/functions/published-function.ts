import { Duration, RemovalPolicy, Stage as CdkStage } from 'aws-cdk-lib';
import { type IRole, type ManagedPolicy, Policy, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
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
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { join } from 'node:path';
import { allow, TRACE } from '../permissions/statements.ts';
import type { Stage } from '../stage/stage.ts';
import { checkEnvironmentSize } from './environment-size.ts';
import { writeWithSettings } from './settings-file.ts';

/** Alias that requests and invocations use, never `$LATEST`. */
export const ALIAS = 'live';

export interface CommonFunctionProps {
  readonly layer: LayerVersion;
  readonly traces: Stage['traces'];
  readonly retainVersions: boolean;
}

interface PublishedFunctionProps extends CommonFunctionProps {
  /** Name in messages: `router`, `network-orders`. */
  readonly name: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Variables for the settings file, since they may be too long for an environment. */
  readonly settings: Readonly<Record<string, string>>;
  readonly role: IRole;
  readonly logGroup: LogGroup;
  /** Permissions beyond its own log. */
  readonly grants: readonly PolicyStatement[];
  readonly vpcConfig?: CfnFunction.VpcConfigProperty | undefined;
  /** Policies to create before the function. */
  readonly policies?: readonly ManagedPolicy[] | undefined;
  readonly reservedConcurrency?: number | undefined;
  readonly provisionedConcurrency?: number | undefined;
}

/** @returns the alias `live` of a new version @throws Error for an environment that Lambda does not take */
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
  const folder = join(CdkStage.of(scope)?.assetOutdir ?? '', 'functions', scope.node.addr);
  const settings = writeWithSettings(folder, props.bundle, props.settings);
  const environment = { ...props.environment, ...settings };
  checkEnvironmentSize(props.name, environment);
  const lambda = new LambdaFunction(scope, 'Function', {
    description: props.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(folder),
    handler: 'index.handler',
    layers: [layer],
    memorySize: props.memoryMb,
    timeout: Duration.seconds(props.timeoutSeconds),
    ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    environment,
    role,
    logGroup,
    // Log lines are JSON, so that Lambda does not wrap ours once more. Of its own it writes only failures: START, END
    // and REPORT would be a fifth of the bytes of a call. Source: AWS Lambda, "Configuring JSON and plain text log
    // formats", "Log-level filtering".
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    ...(props.retainVersions && {
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    }),
  });
  // VPC and tracing are set on the resource: CDK's own properties would look the VPC up, and add policies to the
  // role, which is in another stack.
  const resource = lambda.node.defaultChild as CfnFunction;
  if (props.vpcConfig) resource.vpcConfig = props.vpcConfig;
  if (traces === 'xray') resource.tracingConfig = { mode: Tracing.ACTIVE };
  lambda.node.addDependency(policy, ...(props.policies ?? []));
  return new Alias(scope, 'Live', {
    aliasName: ALIAS,
    version: lambda.currentVersion as IVersion,
    ...(provisionedConcurrency !== undefined && {
      provisionedConcurrentExecutions: provisionedConcurrency,
    }),
  });
};
