import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Policy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { inTheWay } from '../functions/in-the-way.ts';
import { describing } from '../monitoring/alarms.ts';
import type { NetworkFunction } from '../networks/functions.ts';
import type { Logs } from '../monitoring/logs.ts';
import { allow } from '../permissions/statements.ts';
import { pascalCase } from '../pascal-case.ts';

export interface CanaryProps {
  readonly aliases: Readonly<Record<FunctionName, Alias>>;
  readonly logs: Logs;
  readonly networks: readonly NetworkFunction[];
}

const RUNBOOK = 'A release that goes back';

/** Failures of the new version in a minute. */
const TOO_MANY = 3;

/**
 * A new version gets a tenth of the requests for five minutes; too many failures roll the stack back. The alarms
 * notify nobody else, since without a release they say nothing that others do not. Source: docs/releases.md,
 * "Canary".
 */
export class CanaryReleases extends Construct {
  constructor(scope: Construct, id: string, { aliases, logs, networks }: CanaryProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    // CodeDeploy's role gets grants for each alias; AWS's managed policy would allow every function of the account.
    const role = new Role(this, 'Shifter', {
      description: 'Hosted MCP: moves aliases to the next version',
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    });
    const released = [
      ...inTheWay.map((name) => ({
        name,
        alias: aliases[name],
        logGroup: logs.of[name],
        answersRequests: functions[name].routes.length > 0,
      })),
      ...networks.map((one) => ({ ...one, answersRequests: false })),
    ];
    for (const one of released) {
      const { name, alias } = one;
      const own = new Construct(this, `Of${pascalCase(name)}`);
      const alarms = alarmsOf(own, one);
      const group = new LambdaDeploymentGroup(own, 'Group', {
        application,
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        role: role.withoutPolicyUpdates(),
        alarms,
        autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
      });
      group.node.addDependency(grantsOf(own, role, alias));
    }
  }
}

/**
 * A policy for each function avoids a cycle: functions depend on aliases that they invoke, an alias on its deployment
 * group, the group on its policy. Source: Service Authorization Reference, "AWS Lambda".
 */
const grantsOf = (scope: Construct, role: Role, { lambda, aliasName }: Alias): Policy =>
  new Policy(scope, 'Grants', {
    roles: [role],
    statements: [
      // IAM checks these actions against the function's ARN without the alias.
      allow('MoveAlias', [lambda.functionArn], ['lambda:GetAlias', 'lambda:UpdateAlias']),
      allow(
        'WaitForInstances',
        [`${lambda.functionArn}:${aliasName}`],
        ['lambda:GetProvisionedConcurrencyConfig'],
      ),
      allow('LookAtAlarms', ['*'], ['cloudwatch:DescribeAlarms']),
    ],
  });

/** Alarms on invocations of the new version that fail, and on its failed answers where it answers requests. */
const alarmsOf = (
  scope: Construct,
  {
    name,
    alias,
    logGroup,
    answersRequests,
  }: {
    readonly name: string;
    readonly alias: Alias;
    readonly logGroup: ILogGroup;
    readonly answersRequests: boolean;
  },
): Alarm[] => {
  const { version } = alias.version;
  const FunctionName = alias.lambda.functionName;
  const errors = new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    dimensionsMap: {
      FunctionName,
      Resource: `${FunctionName}:${alias.aliasName}`,
      ExecutedVersion: version,
    },
  });
  const ofErrors = alarmOf(
    scope,
    'NewErrors',
    errors,
    `invocations of ${name} end without an answer`,
  );
  if (!answersRequests) return [ofErrors];
  const filter = new MetricFilter(scope, 'Failures', {
    logGroup,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.message', '=', 'request'),
      FilterPattern.any(
        FilterPattern.stringValue('$.outcome', '=', 'bug'),
        FilterPattern.stringValue('$.outcome', '=', 'fault'),
      ),
    ),
    metricNamespace: `HostedMcp/${Stack.of(scope).stackName}/Releases`,
    metricName: pascalCase(name),
    metricValue: '1',
    dimensions: { Version: '$.function_version' },
  });
  const failures = filter.metric({ dimensionsMap: { Version: version } });
  const what = `requests to ${name} fail for an error or a neighbour`;
  return [ofErrors, alarmOf(scope, 'NewFailures', failures, what)];
};

const alarmOf = (scope: Construct, id: string, metric: Metric, what: string): Alarm =>
  new Alarm(scope, id, {
    alarmDescription: describing('release', `${what} in its newest version`, RUNBOOK),
    metric: metric.with({ statistic: 'Sum', period: Duration.minutes(1) }),
    threshold: TOO_MANY,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
