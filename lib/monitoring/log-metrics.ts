import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { Logs } from './logs.ts';
import type { Stage } from '../stage/stage.ts';
import { pascalCase } from '../pascal-case.ts';
import { metricsNamespace } from './namespace.ts';

/**
 * Metrics that CloudWatch makes of lines as they are, where that is cheaper than to write more into
 * each of them, or where the lines are the gateway's. Each pattern looks at members that nobody but us writes: terms
 * that may stand anywhere in a line find what strangers write as well.
 *
 * Source: docs/operations.md, "Metrics".
 */
export const LOG_METRICS = {
  /**
   * By the era and version of MCP that they speak, so that an operator sees when a version can be withdrawn. Of the
   * names that clients give themselves none is a dimension: anybody may invent names, and each is paid for.
   */
  McpRequests: {
    of: 'router',
    pattern: FilterPattern.exists('$.protocol.version'),
    value: '1',
    unit: Unit.COUNT,
    dimensions: { Era: '$.protocol.era', Version: '$.protocol.version' },
  },
  /** Calls of tools, by how they ended. */
  ToolCalls: {
    of: 'router',
    pattern: FilterPattern.literal('{ $.message = "tool_call" && $.outcome != "unfinished" }'),
    value: '1',
    unit: Unit.COUNT,
    dimensions: { Outcome: '$.outcome' },
  },
  /** What targets took for them; those that were sent. */
  TargetLatency: {
    of: 'router',
    pattern: FilterPattern.literal(
      '{ $.message = "tool_call" && $.outcome != "refused" && $.outcome != "unfinished" }',
    ),
    value: '$.duration_ms',
    unit: Unit.MILLISECONDS,
  },
  /**
   * Calls, sign-ins and the like that the gateway refused for their number: no function was asked. AWS's own metrics
   * count 429 among all of 4xx.
   */
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
  /** Whose lines: those of one function, or of the gateway. */
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

/** The filters that make them. */
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
