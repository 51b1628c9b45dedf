import { ArnFormat, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { ENCRYPTION_ACTIONS } from '../data/keys.ts';
import { uniqueName } from '../unique-name.ts';
import { pascalCase } from '../pascal-case.ts';

export interface LogsProps {
  readonly encryptionKey: Key;
  readonly retention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/** Log groups have fixed names, since the key's policy lists those for which CloudWatch Logs may use it. */
export class Logs extends Construct {
  readonly of: Readonly<Record<FunctionName, LogGroup>>;
  readonly access: LogGroup;
  private readonly props: LogsProps;

  constructor(scope: Construct, id: string, props: LogsProps) {
    super(scope, id);
    this.props = props;
    props.encryptionKey.addToResourcePolicy(
      encryptLogs(
        this,
        [functionsFolder(this), accessFolder(this)].map((folder) => `${folder}/*`),
      ),
    );
    const names = Object.keys(functions) as FunctionName[];
    this.of = Object.fromEntries(names.map((name) => [name, this.ofFunction(name)])) as Record<
      FunctionName,
      LogGroup
    >;
    this.access = this.group('Access', `${accessFolder(this)}/access`);
  }

  ofFunction(name: string, removalPolicy = this.props.removalPolicy): LogGroup {
    return this.group(pascalCase(name), `${functionsFolder(this)}/${name}`, removalPolicy);
  }

  private group(
    id: string,
    logGroupName: string,
    removalPolicy = this.props.removalPolicy,
  ): LogGroup {
    return new LogGroup(this, id, { logGroupName, ...this.props, removalPolicy });
  }
}

const functionsFolder = (scope: Construct): string => `/hosted-mcp/${uniqueName(scope)}`;

// Under this prefix the account's shared resource policy of CloudWatch Logs has room. Source: Amazon API Gateway,
// "Configure logging for HTTP APIs".
const accessFolder = (scope: Construct): string => `/aws/vendedlogs/${uniqueName(scope)}`;

/** ARN for a name or pattern, without the `:*` that a log group's `attrArn` ends in. */
export const logGroupArn = (stack: Stack, resourceName: string): string =>
  stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/**
 * Lets CloudWatch Logs use the key for these log groups only. Source: CloudWatch Logs, "Encrypt log data in
 * CloudWatch Logs using AWS Key Management Service".
 */
export const encryptLogs = (
  scope: Construct,
  logGroupNames: readonly string[],
): PolicyStatement => {
  const stack = Stack.of(scope);
  return new PolicyStatement({
    sid: 'EncryptOwnLogs',
    principals: [new ServicePrincipal(`logs.${stack.region}.${stack.urlSuffix}`)],
    actions: [...ENCRYPTION_ACTIONS],
    resources: ['*'],
    conditions: {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': logGroupNames.map((resourceName) =>
          logGroupArn(stack, resourceName),
        ),
      },
    },
  });
};
