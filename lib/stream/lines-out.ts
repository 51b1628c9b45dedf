import { createHash } from 'node:crypto';
import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import { Policy, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { StreamBucket } from '../data/stream-bucket.ts';
import type { Alarms } from '../monitoring/alarms.ts';
import type { Logs } from '../monitoring/logs.ts';
import { alarmsOfFilters } from '../monitoring/undelivered.ts';
import { pascalCase } from '../pascal-case.ts';
import { allow, through } from '../permissions/statements.ts';
import { type Destination, destinationOf, type Stream } from '../stage/stream.ts';
import { Delivery } from './delivery.ts';

export interface LinesOutProps {
  readonly stream: Stream;
  readonly files: StreamBucket | undefined;
  readonly encryptionKey: IKey;
  readonly logs: Logs;
  readonly alarms: Alarms;
}

/** Actions of CloudWatch Logs at each destination; none for a log destination, whose own policy lets it in. */
const PUTS: Readonly<Record<Destination, readonly string[]>> = {
  firehose: ['firehose:PutRecord', 'firehose:PutRecordBatch'],
  kinesis: ['kinesis:PutRecord', 'kinesis:PutRecords'],
  logs: [],
};

/**
 * Lines of calls and events have `schema`, events also `type`. No quotes: the version is a number. Source: CloudWatch
 * Logs, "Filter pattern syntax for metric filters, subscription filters, filter log events, and Live Tail".
 */
const CALLS_AND_EVENTS = '{ $.schema = * }';
const EVENTS = '{ ($.schema = *) && ($.type = *) }';

/** Subscription filters send every line of a call or an event without code of ours. Source: docs/stream.md. */
export class LinesOut extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stream: { to, calls }, files, encryptionKey, logs, alarms }: LinesOutProps,
  ) {
    super(scope, id);
    const own = files && new Delivery(this, 'Delivery', { files, encryptionKey, alarms });
    const destinationArn = own?.arn ?? to;
    const service = own ? 'firehose' : (destinationOf(to) ?? 'logs');
    const role = this.roleFor(service, { to, destinationArn });
    // The filters' metrics carry this name.
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
        // Kinesis gets all lines of a busy instance into one shard by default.
        ...(service === 'kinesis' && { distribution: 'Random' }),
      });
      // CloudWatch Logs tests its permission with a line when the filter is created.
      if (role) filter.node.addDependency(role.policy);
    }
    alarmsOfFilters(alarms, 'Stream', {
      lost: 'lines of calls and events do not get out',
      late: 'lines of calls and events get out too slowly',
      runbook: 'A stream that takes no lines',
      filters: { FilterName: filterName },
    });
  }

  /** Each destination has its own role, so that the former one works until the filters have changed. */
  private roleFor(
    service: Destination,
    { to, destinationArn }: { readonly to: string; readonly destinationArn: string },
  ) {
    if (PUTS[service].length === 0) return undefined;
    const ofPlace = createHash('sha256').update(to).digest('hex').slice(0, 8);
    const stack = Stack.of(this);
    const anyLogGroup = stack.formatArn({
      service: 'logs',
      resource: '*',
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
    const role = new Role(this, `Role${ofPlace}`, {
      description: 'Hosted MCP: CloudWatch Logs sends lines of calls and events out',
      assumedBy: new ServicePrincipal('logs.amazonaws.com', {
        conditions: { StringLike: { 'aws:SourceArn': anyLogGroup } },
      }),
    });
    const policy = new Policy(this, `Grants${ofPlace}`, {
      roles: [role],
      statements: [
        allow('PutLinesThereAlone', [destinationArn], [...PUTS[service]]),
        // The stack's own stream has a key of AWS.
        ...(to === 'own' ? [] : [this.encryptFor(service, destinationArn)]),
      ],
    });
    new CfnOutput(stack, 'StreamRole', {
      value: role.roleArn,
      description: 'What CloudWatch Logs takes to send lines of calls and events out',
    });
    return { role, policy };
  }

  /**
   * A stream may be encrypted with a team's key, which its ARN does not name. Source: Amazon Kinesis Data Streams,
   * "Permissions to use user-generated KMS keys".
   */
  private encryptFor(service: Destination, destinationArn: string): PolicyStatement {
    const { StringEquals } = through(this, [service]);
    const isKinesis = service === 'kinesis';
    return allow(
      'EncryptForIt',
      [Stack.of(this).formatArn({ service: 'kms', resource: 'key', resourceName: '*' })],
      isKinesis ? ['kms:GenerateDataKey'] : ['kms:Decrypt', 'kms:GenerateDataKey'],
      {
        StringEquals: {
          ...StringEquals,
          ...(isKinesis && { 'kms:EncryptionContext:aws:kinesis:arn': destinationArn }),
        },
      },
    );
  }
}
