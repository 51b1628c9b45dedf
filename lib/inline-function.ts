import { Policy, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { allow } from './permissions/statements.ts';

/** A function with its code in the template. @param statements - permissions beyond its own log */
export const inlineFunction = (
  scope: Construct,
  code: string,
  props: lambda.FunctionOptions & { readonly description: string; readonly logGroup: LogGroup },
  statements: readonly PolicyStatement[] = [],
) => {
  const { description, logGroup } = props;
  const role = new Role(scope, 'Role', {
    description: `Hosted MCP: ${description.charAt(0).toLowerCase()}${description.slice(1)}`,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  const logs = ['logs:CreateLogStream', 'logs:PutLogEvents'];
  const policy = new Policy(scope, 'Grants', {
    roles: [role],
    statements: [allow('WriteOwnLogs', [logGroup.logGroupArn], logs), ...statements],
  });
  const made = new lambda.Function(scope, 'Function', {
    ...props,
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: lambda.Architecture.ARM_64,
    code: lambda.Code.fromInline(code),
    handler: 'index.handler',
    role,
  });
  made.node.addDependency(policy);
  return { lambda: made, policy };
};
