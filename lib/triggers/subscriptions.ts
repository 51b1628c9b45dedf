import { Duration } from 'aws-cdk-lib';
import { type Alias, CfnEventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { Alarms } from '../monitoring/alarms.ts';
import type { Logs } from '../monitoring/logs.ts';
import { alarmsOfFilters } from '../monitoring/undelivered.ts';
import { pascalCase } from '../pascal-case.ts';
import { failedWorkQueue } from './failed-work-queue.ts';
import { retryEvents } from './retry-events.ts';

export interface SubscriptionsProps {
  readonly aliases: Readonly<Record<FunctionName, Alias>>;
  readonly logs: Logs;
  readonly unstoredCalls: Queue;
  readonly unstorableCalls: Queue;
  readonly alarms: Alarms;
}

/** No role is needed: each alias lets CloudWatch Logs invoke it. Lines that failed three times are queued. */
export class Subscriptions extends Construct {
  constructor(scope: Construct, id: string, props: SubscriptionsProps) {
    super(scope, id);
    const { alarms, aliases, logs, unstoredCalls, unstorableCalls } = props;
    alarms.whileLate(
      'UnstoredCalls',
      unstoredCalls,
      Duration.hours(1),
      'calls could not be stored for an hour',
      'Unstored calls',
    );
    alarms.whileFilled('UnstorableCalls', unstorableCalls, {
      what: 'calls could not be stored for a day',
      runbook: 'Unstorable calls',
      isEssential: true,
    });
    for (const name of Object.keys(functions) as FunctionName[]) {
      const { subscription } = functions[name];
      if (!subscription) continue;
      const alias = aliases[name];
      const own = new Construct(this, pascalCase(name));
      // The filter has a name for its alarm, since `Ref` may return it with its log group.
      const filterName = `lines-for-${name}`;
      new SubscriptionFilter(own, 'Lines', {
        filterName,
        logGroup: logs.of[subscription.to],
        destination: new LambdaDestination(alias as IFunction),
        filterPattern: FilterPattern.any(
          ...subscription.messages.map((one) => FilterPattern.stringValue('$.message', '=', one)),
        ),
      });
      alarmsOfFilters(alarms, pascalCase(name), {
        lost: `lines of the log of ${subscription.to} did not reach ${name}`,
        late: `lines of the log of ${subscription.to} reach ${name} too slowly`,
        runbook: 'Undelivered log lines',
        filters: {
          FilterName: filterName,
          LogGroupName: logs.of[subscription.to].logGroupName,
        },
      });
      const maxAgeSeconds = Duration.hours(6).toSeconds();
      retryEvents(own, { alias, retries: 2, maxAgeSeconds, failed: unstoredCalls });
      new CfnEventSourceMapping(own, 'Again', {
        functionName: alias.functionArn,
        eventSourceArn: unstoredCalls.queueArn,
        batchSize: 1,
        scalingConfig: { maximumConcurrency: 2 },
      });
    }
  }
}

/** Attempts every six minutes for a day. */
const MOST_ATTEMPTS = 240;

export const unstoredCallsQueue = (scope: Construct, unstorable: Queue): Queue =>
  failedWorkQueue(scope, 'UnstoredCalls', {
    visibilityTimeout: Duration.seconds(6 * functions.activity.timeoutSeconds),
    deadLetterQueue: { queue: unstorable, maxReceiveCount: MOST_ATTEMPTS },
  });
