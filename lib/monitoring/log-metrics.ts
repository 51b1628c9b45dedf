import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { Logs } from './logs.ts';
import type { Stage } from '../stage/stage.ts';
import { pascalCase } from '../pascal-case.ts';
import { metricsNamespace } from './namespace.ts';

/**
 * Metrics that CloudWatch makes of lines as they are, where that is cheaper than to write more into
 * each of them, or where the lines are not ours: what the runtime says of an error that ended an invocation.
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
    pattern: FilterPattern.literal('{ $.message = "tool_call" }'),
    value: '1',
    unit: Unit.COUNT,
    dimensions: { Outcome: '$.outcome' },
  },
  /** What targets took for them; those that were sent. */
  TargetLatency: {
    of: 'router',
    pattern: FilterPattern.literal('{ $.message = "tool_call" && $.outcome != "refused" }'),
    value: '$.duration_ms',
    unit: Unit.MILLISECONDS,
  },
  /** Requests without a right to what they asked for, and those beyond a limit. */
  Denials: {
    of: 'routes',
    pattern: FilterPattern.literal(
      '{ $.message = "request" && ($.status = 401 || $.status = 403 || $.status = 429) }',
    ),
    value: '1',
    unit: Unit.COUNT,
  },
  /** Calls to AWS that a policy did not allow. */
  AwsDenials: {
    of: 'all',
    pattern: FilterPattern.anyTerm('AccessDenied', 'AccessDeniedException'),
    value: '1',
    unit: Unit.COUNT,
  },
  /** Calls to AWS that were refused for their number, also when they were tried again. */
  AwsThrottles: {
    of: 'all',
    pattern: FilterPattern.anyTerm(
      'ThrottlingException',
      'ThrottledException',
      'TooManyRequestsException',
      'ProvisionedThroughputExceededException',
      'RequestLimitExceeded',
      'LimitExceededException',
      'SlowDown',
    ),
    value: '1',
    unit: Unit.COUNT,
  },
} as const satisfies Readonly<Record<string, LogMetric>>;

export type LogMetricName = keyof typeof LOG_METRICS;

export interface LogMetric {
  /** Whose lines: those of one function, of all that have routes, or of all. */
  readonly of: FunctionName | 'routes' | 'all';
  readonly pattern: IFilterPattern;
  readonly value: string;
  readonly unit: Unit;
  readonly dimensions?: Readonly<Record<string, string>>;
}

export interface LogMetricsProps {
  readonly stage: Pick<Stage, 'name'>;
  readonly logs: Logs;
}

/** The filters that make them, on the log groups of the functions. */
export class LogMetrics extends Construct {
  constructor(scope: Construct, id: string, { stage, logs }: LogMetricsProps) {
    super(scope, id);
    for (const [metricName, metric] of Object.entries<LogMetric>(LOG_METRICS)) {
      for (const name of functionsOf(metric)) {
        new MetricFilter(this, `${metricName}${pascalCase(name)}`, {
          logGroup: logs.of[name],
          filterPattern: metric.pattern,
          metricNamespace: metricsNamespace(stage),
          metricName,
          metricValue: metric.value,
          unit: metric.unit,
          ...(metric.dimensions && { dimensions: metric.dimensions }),
        });
      }
    }
  }
}

const functionsOf = ({ of }: LogMetric): readonly FunctionName[] => {
  const names = Object.keys(functions) as FunctionName[];
  if (of === 'all') return names;
  if (of === 'routes') return names.filter((name) => functions[name].routes.length > 0);
  return [of];
};
