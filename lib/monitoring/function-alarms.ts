import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { type FunctionName, functions, networkFunction } from '../../lambdas/manifest.ts';
import type { NetworkFunction } from '../networks/functions.ts';
import { inTheWay } from '../functions/in-the-way.ts';
import { pascalCase } from '../pascal-case.ts';
import type { Stage } from '../stage/stage.ts';
import type { Alarms } from './alarms.ts';
import { awsMetric, countUnless, FIVE_MINUTES, shareOf, type Statistic, sumOf } from './metrics.ts';

export interface FunctionAlarmsProps {
  readonly alarms: Alarms;
  readonly aliases: Readonly<Record<FunctionName, Alias>>;
  readonly reservedConcurrency: Stage['reservedConcurrency'];
  readonly networks: readonly NetworkFunction[];
}

interface Watched {
  readonly name: string;
  readonly timeoutSeconds: number;
  readonly id: string;
  readonly alarms: Alarms;
  readonly metric: (name: string, statistic: Statistic, period: Duration) => Metric;
}

/** These notices name the function; alarms on gateway and queues tell what people and events suffer. */
export const addFunctionAlarms = (props: FunctionAlarmsProps): void => {
  const { alarms, aliases, networks, reservedConcurrency } = props;
  const watching = (name: string, alias: Alias, timeoutSeconds: number): Watched => {
    const FunctionName = alias.lambda.functionName;
    const metric: Watched['metric'] = (metricName, statistic, period) =>
      awsMetric('AWS/Lambda', metricName, { statistic, period }, { FunctionName });
    return { name, id: pascalCase(name), timeoutSeconds, alarms, metric };
  };
  for (const { name, alias, network } of networks) {
    watchRequests(watching(name, alias, networkFunction.timeoutSeconds), network.executions);
  }
  for (const name of Object.keys(functions) as FunctionName[]) {
    const watched = watching(name, aliases[name], functions[name].timeoutSeconds);
    const { schedules = [] } = functions[name];
    if (schedules.some((one) => 'everyMinutes' in one)) {
      watchRuns(watched);
    } else if (inTheWay.includes(name)) {
      watchRequests(watched, reservedConcurrency[name]);
      // Among requests, three failures of a command an hour would never be noticed.
      if (schedules.length > 0) watchLosses(watched);
    } else {
      watchEvents(watched);
      watchLosses(watched);
    }
  }
};

/** Alarms for functions that somebody waits for. */
const watchRequests = (
  { name, id, timeoutSeconds, alarms, metric }: Watched,
  reserved: number | undefined,
): void => {
  const [errors, invocations, throttles] = ['Errors', 'Invocations', 'Throttles'].map((counted) =>
    metric(counted, 'Sum', FIVE_MINUTES),
  ) as [Metric, Metric, Metric];
  alarms.whenHigh(`${id}Errors`, {
    severity: 'notice',
    what: `one in twenty invocations of ${name} ends without an answer`,
    runbook: 'Errors of a function',
    metric: shareOf([errors], [invocations], 3),
    threshold: 5,
    periods: 2,
  });
  alarms.whenHigh(`${id}Throttles`, {
    severity: 'notice',
    what: `one in a hundred invocations of ${name} is refused, since too many are under way`,
    runbook: 'Throttles of a function',
    // Essential, since every call goes through the router.
    isEssential: name === 'router',
    // AWS does not count throttled requests as invocations.
    metric: shareOf([throttles], [invocations, throttles], 3),
    threshold: 1,
    periods: 2,
  });
  alarms.whenHigh(`${id}Slow`, {
    severity: 'notice',
    what: `one in twenty invocations of ${name} takes half of the time that it may take`,
    runbook: 'A slow function',
    metric: metric('Duration', 'p95', FIVE_MINUTES),
    threshold: 500 * timeoutSeconds,
    periods: 3,
  });
  if (reserved === undefined) return;
  alarms.whenHigh(`${id}Concurrency`, {
    severity: 'notice',
    what: `${name} runs nearly as often at once as it may`,
    runbook: 'Concurrency near its limit',
    metric: metric('ConcurrentExecutions', 'Maximum', Duration.minutes(1)),
    threshold: Math.ceil(0.8 * reserved),
    periods: 3,
  });
};

/** Events of asynchronous functions may be throttled and retried, but not wait too long or be dropped. */
const watchEvents = ({ name, id, alarms, metric }: Watched): void => {
  alarms.whenHigh(`${id}Waiting`, {
    severity: 'notice',
    what: `events for ${name} wait for a quarter of an hour`,
    runbook: 'Waiting events',
    // The threshold is longer than the retries, which come after one minute and after two more.
    metric: metric('AsyncEventAge', 'Maximum', FIVE_MINUTES),
    threshold: Duration.minutes(15).toMilliseconds(),
  });
};

const watchLosses = ({ name, id, alarms, metric }: Watched): void => {
  alarms.whenHigh(`${id}Dropped`, {
    severity: 'notice',
    what: `events for ${name} were lost`,
    runbook: 'Dropped events',
    metric: sumOf(
      ['AsyncEventsDropped', 'DestinationDeliveryFailures'].map((counted) =>
        metric(counted, 'Sum', FIVE_MINUTES),
      ),
      FIVE_MINUTES,
      'Dropped',
    ),
    threshold: 1,
  });
};

/** Of a function that runs each minute single runs may fail, but one in a while must succeed. */
const watchRuns = ({ name, id, alarms, metric }: Watched): void => {
  alarms.whenLow(`${id}Late`, {
    severity: 'notice',
    what: `no run of ${name} has ended well for a quarter of an hour`,
    runbook: 'A late tally',
    // Nothing else tells that calls are no longer counted.
    isEssential: true,
    // A busy run invokes the function for its parts, too; when one of these fails, its run fails.
    metric: countUnless(
      metric('Invocations', 'Sum', RUNS),
      { other: metric('Errors', 'Sum', RUNS), atLeast: RUNS.toMinutes() },
      RUNS,
      'Ended well',
    ),
    threshold: 1,
  });
};

const RUNS = Duration.minutes(15);
