import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import { Policy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { Alarms } from '../monitoring/alarms.ts';
import type { Logs } from '../monitoring/logs.ts';
import { countWhere, FIVE_MINUTES } from '../monitoring/metrics.ts';
import { pascalCase } from '../pascal-case.ts';
import { allow } from '../permissions/statements.ts';
import { type Destination, destinationOf, type Stream } from '../stage/stream.ts';
import { Delivery } from './delivery.ts';

export interface LinesOutProps {
  readonly stream: Stream;
  /** That of the stack, where lines go there. */
  readonly bucket: Bucket | undefined;
  readonly encryptionKey: IKey;
  readonly logs: Logs;
  readonly alarms: Alarms;
}

/** What CloudWatch Logs calls to put records there; nothing where a policy of the other account lets it in. */
const PUTS: Readonly<Record<Destination, readonly string[]>> = {
  firehose: ['firehose:PutRecord', 'firehose:PutRecordBatch'],
  kinesis: ['kinesis:PutRecord', 'kinesis:PutRecords'],
  logs: [],
};

/**
 * Which lines have a version; those of events also have a type. Without quotes, since the version is a number.
 *
 * Source: CloudWatch Logs, "Filter pattern syntax for metric filters, subscription filters, filter log events, and Live Tail".
 */
const CALLS_AND_EVENTS = '{ $.schema = * }';
const EVENTS = '{ ($.schema = *) && ($.type = *) }';

/**
 * Sends every line of a call or an event out as it is logged, and no other line: each has its version, by which a filter
 * of CloudWatch Logs finds it. Nothing of ours runs for it.
 *
 * Source: docs/stream.md.
 */
export class LinesOut extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stream: { to, calls }, bucket, encryptionKey, logs, alarms }: LinesOutProps,
  ) {
    super(scope, id);
    const own = bucket && new Delivery(this, 'Delivery', { bucket, encryptionKey, logs, alarms });
    const destinationArn = own?.arn ?? to;
    const service = own ? 'firehose' : (destinationOf(to) ?? 'logs');
    const role = this.roleFor(destinationArn, PUTS[service]);
    // Metrics of the filters of this stage are found by it.
    const filterName = `${Stack.of(this).stackName}-lines-out`;
    for (const name of (Object.keys(functions) as FunctionName[]).filter(
      (one) => functions[one].logsEvents,
    )) {
      const filter = new CfnSubscriptionFilter(this, pascalCase(name), {
        filterName,
        logGroupName: logs.of[name].logGroupName,
        filterPattern: calls ? CALLS_AND_EVENTS : EVENTS,
        destinationArn,
        ...(role && { roleArn: role.role.roleArn }),
        // Otherwise all lines of a busy instance go to one shard.
        ...(service === 'kinesis' && { distribution: 'Random' }),
      });
      // CloudWatch Logs sends a line at once, to see whether it may.
      if (role) filter.node.addDependency(role.policy);
    }
    const undelivered = (metricName: string) =>
      countWhere(
        'AWS/Logs',
        metricName,
        {
          dimensions: ['DestinationType', 'FilterName', 'LogGroupName'],
          is: ['FilterName', filterName],
        },
        FIVE_MINUTES,
      );
    const alarm = (alarmId: string, metricName: string, what: string) =>
      alarms.whenHigh(alarmId, {
        // Lines that are not delivered are dropped after a day, and nothing else tells of it.
        isEssential: true,
        severity: 'notice',
        what,
        runbook: 'A stream that takes no lines',
        metric: undelivered(metricName),
        threshold: 1,
        // It is tried again for a day.
        periods: 3,
      });
    alarm('StreamUndelivered', 'DeliveryErrors', 'lines of calls and events do not get out');
    alarm('StreamThrottled', 'DeliveryThrottling', 'lines of calls and events get out too slowly');
  }

  /** What CloudWatch Logs takes to put records to one place, and nowhere else. */
  private roleFor(destinationArn: string, actions: readonly string[]) {
    if (actions.length === 0) return undefined;
    const anyLogGroup = Stack.of(this).formatArn({
      service: 'logs',
      resource: '*',
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
    const role = new Role(this, 'Role', {
      description: 'Hosted MCP: CloudWatch Logs sends lines of calls and events out',
      assumedBy: new ServicePrincipal('logs.amazonaws.com', {
        conditions: { StringLike: { 'aws:SourceArn': anyLogGroup } },
      }),
    });
    const policy = new Policy(this, 'Grants', {
      roles: [role],
      statements: [allow('PutLinesThereAlone', [destinationArn], [...actions])],
    });
    new CfnOutput(Stack.of(this), 'StreamRole', {
      value: role.roleArn,
      description: 'What CloudWatch Logs takes to send lines of calls and events out',
    });
    return { role, policy };
  }
}
