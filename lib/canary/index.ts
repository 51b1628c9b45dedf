import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Alarms } from '../monitoring/alarms.ts';
import { inlineCode } from '../functions/inline-code.ts';
import { awsMetric, FIVE_MINUTES } from '../monitoring/metrics.ts';
import type { Stage } from '../stage/stage.ts';
import { inlineFunction } from '../inline-function.ts';
import type { CanaryEvent } from './handler.ts';

export interface CanaryProps {
  readonly canary: NonNullable<Stage['canary']>;
  readonly baseUrl: string;
  readonly logGroup: LogGroup;
  readonly alarms: Alarms;
  /** Events that EventBridge could not deliver. */
  readonly undelivered: Queue;
}

/**
 * The canary pages after ten minutes without a successful walk. Only it notices that no requests arrive any more,
 * since a stage without requests may also be one at night. Source: docs/operations.md, "The canary".
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, props: CanaryProps) {
    super(scope, id);
    const { canary, baseUrl, logGroup, alarms, undelivered } = props;
    const code = inlineCode(new URL('handler.ts', import.meta.url));
    const { lambda } = inlineFunction(this, code, {
      description: 'Walks from discovery to the call of a tool',
      timeout: Duration.minutes(1),
      memorySize: 128,
      // No retry: the next walk comes soon.
      retryAttempts: 0,
      logGroup,
    });
    const event: CanaryEvent = { ...canary, baseUrl };
    new Rule(this, 'Walk', {
      description: 'Hosted MCP: a walk of the canary',
      schedule: Schedule.rate(FIVE_MINUTES),
      targets: [
        new LambdaTarget(lambda, {
          event: RuleTargetInput.fromObject(event),
          retryAttempts: 0,
          deadLetterQueue: undelivered,
        }),
      ],
    });
    const counted = (name: 'Errors' | 'Invocations') =>
      awsMetric(
        'AWS/Lambda',
        name,
        { statistic: 'Sum', period: FIVE_MINUTES },
        { FunctionName: lambda.functionName },
      );
    // Counts successful walks, so that walks that never began raise the alarm, too.
    alarms.whenLow('Canary', {
      severity: 'page',
      what: 'for ten minutes no walk of the canary from discovery to the call of a tool has ended well',
      runbook: 'A failed walk of the canary',
      isEssential: true,
      metric: new MathExpression({
        expression: 'FILL(walks, 0) - FILL(failures, 0)',
        usingMetrics: { walks: counted('Invocations'), failures: counted('Errors') },
        period: FIVE_MINUTES,
        label: 'Walks that ended well',
      }),
      threshold: 1,
      periods: 2,
    });
  }
}
