import { Duration } from 'aws-cdk-lib';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { type FunctionManifest, type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { Alarms } from './alarms.ts';
import type { Stage } from '../stage/stage.ts';
import { pascalCase } from '../pascal-case.ts';
import { awsMetric, FIVE_MINUTES, type Statistic, sumOf } from './metrics.ts';

export interface FunctionAlarmsProps {
  readonly alarms: Alarms;
  readonly aliases: Readonly<Record<FunctionName, Alias>>;
  readonly reservedConcurrency: Stage['reservedConcurrency'];
}

/** The alarms that every function of the manifest has, a new one too. */
export const addFunctionAlarms = (props: FunctionAlarmsProps): void => {
  for (const name of Object.keys(functions) as FunctionName[]) alarmsOf(name, props);
};

const alarmsOf = (
  name: FunctionName,
  { alarms, aliases, reservedConcurrency }: FunctionAlarmsProps,
): void => {
  const manifest = functions[name];
  const FunctionName = aliases[name].lambda.functionName;
  const metric = (metricName: string, statistic: Statistic, period: Duration) =>
    awsMetric('AWS/Lambda', metricName, { statistic, period }, { FunctionName });
  const id = pascalCase(name);

  alarms.whenHigh(`${id}Errors`, {
    what: `an invocation of ${name} ended without an answer`,
    runbook: 'Errors of a function',
    metric: metric('Errors', 'Sum', FIVE_MINUTES),
    threshold: 1,
  });
  alarms.whenHigh(`${id}Slow`, {
    what: `${name} takes too long`,
    runbook: 'A slow function',
    metric: metric('Duration', 'p95', FIVE_MINUTES),
    threshold: slowMs(manifest),
    periods: 3,
  });
  alarms.whenHigh(`${id}Throttles`, {
    what: `an invocation of ${name} was refused, since too many were under way`,
    runbook: 'Throttles of a function',
    metric: metric('Throttles', 'Sum', FIVE_MINUTES),
    threshold: 1,
  });
  const reserved = reservedConcurrency[name];
  if (reserved !== undefined) {
    alarms.whenHigh(`${id}Concurrency`, {
      what: `${name} runs nearly as often at once as it may`,
      runbook: 'Concurrency near its limit',
      metric: metric('ConcurrentExecutions', 'Maximum', Duration.minutes(1)),
      threshold: Math.ceil(0.8 * reserved),
      periods: 3,
    });
  }
  if (hasEvents(manifest)) {
    alarms.whenHigh(`${id}Dropped`, {
      what: `events for ${name} were lost`,
      runbook: 'Dropped events',
      metric: sumOf(
        metric('AsyncEventsDropped', 'Sum', FIVE_MINUTES),
        metric('DestinationDeliveryFailures', 'Sum', FIVE_MINUTES),
        FIVE_MINUTES,
        'Dropped',
      ),
      threshold: 1,
    });
  }
};

/** Whether it is invoked by those who do not wait for it. */
const hasEvents = ({ events, subscription, schedules, mailFeedback }: FunctionManifest): boolean =>
  (events ?? subscription ?? schedules ?? mailFeedback) !== undefined;

/**
 * Half of the time that it may take. What schedules start may take nearly all of it: it ends by itself a
 * minute before, and the next invocation goes on.
 */
const slowMs = ({ timeoutSeconds, schedules }: FunctionManifest): number =>
  timeoutSeconds * (schedules ? 950 : 500);
