import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { Logs } from './logs.ts';
import type { Stage } from '../stage/stage.ts';
import { pascalCase } from '../pascal-case.ts';
import { metricsNamespace } from './namespace.ts';

/**
 * Metrics that filters make from log lines: of functions where a metric in the line itself would cost more, and of
 * API Gateway. Patterns match only members that we alone write, so that strangers cannot forge counts. Source:
 * docs/operations.md, "Metrics".
 */
export const LOG_METRICS = {
  /**
   * Versions that nobody requests can be withdrawn. Names of clients are no dimension: anybody invents some, each
   * costs money.
   */
  McpRequests: {
    of: 'router',
    pattern: FilterPattern.exists('$.protocol.version'),
    value: '1',
    unit: Unit.COUNT,
    dimensions: { Era: '$.protocol.era', Version: '$.protocol.version' },
  },
  ToolCalls: {
    of: 'router',
    pattern: FilterPattern.literal('{ $.message = "tool_call" && $.outcome != "unfinished" }'),
    value: '1',
    unit: Unit.COUNT,
    dimensions: { Outcome: '$.outcome' },
  },
  /** Duration of calls that reached the target API. */
  TargetLatency: {
    of: 'router',
    pattern: FilterPattern.literal(
      '{ $.message = "tool_call" && $.outcome != "refused" && $.outcome != "unfinished" }',
    ),
    value: '$.duration_ms',
    unit: Unit.MILLISECONDS,
  },
  /** Requests throttled by the gateway before any function ran; AWS's own metrics count 429 among all 4xx. */
  GatewayThrottles: {
    of: 'access',
    pattern: FilterPattern.literal(
      '{ $.status = "429" && $.integrationStatus != "200" && ($.route = "ANY /v1/mcp-*" || $.route = "ANY /.well-known/*") }',
    ),
    value: '1',
    unit: Unit.COUNT,
  },
} as const satisfies Readonly<Record<string, LogMetric>>;

export type LogMetricName = keyof typeof LOG_METRICS;

export interface LogMetric {
  readonly of: FunctionName | 'access';
  readonly pattern: IFilterPattern;
  readonly value: string;
  readonly unit: Unit;
  readonly dimensions?: Readonly<Record<string, string>>;
}

export interface LogMetricsProps {
  readonly stage: Pick<Stage, 'name'>;
  readonly logs: Logs;
}

export class LogMetrics extends Construct {
  constructor(scope: Construct, id: string, { stage, logs }: LogMetricsProps) {
    super(scope, id);
    for (const [metricName, metric] of Object.entries<LogMetric>(LOG_METRICS)) {
      const { of, pattern, value, unit, dimensions } = metric;
      new MetricFilter(this, `${metricName}${pascalCase(of)}`, {
        logGroup: of === 'access' ? logs.access : logs.of[of],
        filterPattern: pattern,
        metricNamespace: metricsNamespace(stage),
        metricName,
        metricValue: value,
        unit,
        ...(dimensions && { dimensions }),
      });
    }
  }
}
