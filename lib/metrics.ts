import { Stack } from 'aws-cdk-lib';
import { Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface MetricsProps {
  /** Lines of the router. */
  readonly log: ILogGroup;
}

/**
 * What CloudWatch counts of the router's log lines: requests by the era and version of MCP that they speak, so
 * that an operator sees when a version can be withdrawn. Of the names that clients give themselves none is a
 * dimension: each new one would be a metric that the operator pays for, and anybody may invent names.
 */
export class Metrics extends Construct {
  constructor(scope: Construct, id: string, { log }: MetricsProps) {
    super(scope, id);
    new MetricFilter(this, 'ProtocolVersions', {
      logGroup: log,
      filterPattern: FilterPattern.exists('$.protocol.version'),
      metricNamespace: `HostedMcp/${Stack.of(this).stackName}`,
      metricName: 'McpRequests',
      metricValue: '1',
      unit: Unit.COUNT,
      dimensions: { Era: '$.protocol.era', Version: '$.protocol.version' },
    });
  }
}
