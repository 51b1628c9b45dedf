import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type TableName, tables } from '../../lambdas/storage-manifest.ts';
import type { Alarms } from './alarms.ts';
import type { Data } from '../data/data.ts';
import type { Stage } from '../stage/stage.ts';
import { pascalCase } from '../pascal-case.ts';
import { awsMetric, DAY, FIVE_MINUTES, HOUR, ownMetric, type Read, sumOf } from './metrics.ts';

export interface ServiceAlarmsProps {
  readonly alarms: Alarms;
  readonly stage: Pick<Stage, 'name' | 'metrics'>;
  readonly api: HttpApi;
  readonly tables: Data['tables'];
}

const COUNTED: Read = { statistic: 'Sum', period: FIVE_MINUTES };
const HOURLY: Read = { statistic: 'Average', period: HOUR };

/** The alarms on what AWS measures, and on what our own lines do where the stage has them make metrics. */
export const addServiceAlarms = (props: ServiceAlarmsProps): void => {
  addAwsAlarms(props);
  if (props.stage.metrics) addOwnAlarms(props);
};

const addAwsAlarms = ({ alarms, api, tables: stored }: ServiceAlarmsProps): void => {
  alarms.whenHigh('ServerErrors', {
    what: 'requests were answered with 500 or more',
    runbook: 'Server errors',
    metric: awsMetric('AWS/ApiGateway', '5xx', COUNTED, { ApiId: api.apiId }),
    threshold: 5,
  });
  for (const name of Object.keys(tables) as TableName[]) {
    const throttles = (metricName: string) =>
      awsMetric('AWS/DynamoDB', metricName, COUNTED, { TableName: stored[name].tableName });
    alarms.whenHigh(`${pascalCase(name)}TableThrottles`, {
      what: `DynamoDB refused reads or writes of the table ${name}`,
      runbook: 'Throttles of a table',
      metric: sumOf(
        throttles('ReadThrottleEvents'),
        throttles('WriteThrottleEvents'),
        FIVE_MINUTES,
        'Throttles',
      ),
      threshold: 10,
    });
  }
  // Of the account as a whole: by these two SES decides whether it may go on sending.
  alarms.whenHigh('BounceRate', {
    what: 'too many mails of this account bounce',
    runbook: 'Returned mails',
    metric: awsMetric('AWS/SES', 'Reputation.BounceRate', HOURLY),
    threshold: 0.05,
  });
  alarms.whenHigh('ComplaintRate', {
    what: 'too many recipients complain of mails of this account',
    runbook: 'Returned mails',
    metric: awsMetric('AWS/SES', 'Reputation.ComplaintRate', HOURLY),
    threshold: 0.001,
  });
};

const addOwnAlarms = ({ alarms, stage }: ServiceAlarmsProps): void => {
  alarms.whenHigh('Bugs', {
    what: 'a request failed for an error of the service itself',
    runbook: 'Bugs',
    metric: ownMetric(stage, 'Bugs', COUNTED),
    threshold: 1,
  });
  alarms.whenHigh('Denials', {
    what: 'many requests were denied',
    runbook: 'Denied requests',
    metric: ownMetric(stage, 'Denials', COUNTED),
    threshold: 1000,
  });
  alarms.whenHigh('AwsDenials', {
    what: 'a call to AWS was denied',
    runbook: 'Denied by AWS',
    metric: ownMetric(stage, 'AwsDenials', COUNTED),
    threshold: 1,
  });
  alarms.whenHigh('AwsThrottles', {
    what: 'calls to AWS (KMS, Secrets Manager, DynamoDB and others) were throttled',
    runbook: 'Throttled by AWS',
    metric: ownMetric(stage, 'AwsThrottles', COUNTED),
    threshold: 5,
  });
  alarms.whenHigh('AccountLocks', {
    what: 'many accounts were locked for wrong passwords',
    runbook: 'Locked accounts',
    metric: ownMetric(stage, 'AccountLocks', { statistic: 'Sum', period: HOUR }),
    threshold: 20,
  });
  alarms.whenHigh('AddressBlocks', {
    what: 'many addresses were blocked on public deployments',
    runbook: 'Blocked addresses',
    metric: ownMetric(stage, 'AddressBlocks', { statistic: 'Sum', period: HOUR }),
    threshold: 20,
  });
  alarms.whenHigh('MailsReturned', {
    what: 'mails bounced, or their recipients complained',
    runbook: 'Returned mails',
    metric: ownMetric(stage, 'MailsReturned', { statistic: 'Sum', period: DAY }),
    threshold: 10,
  });
  alarms.whenHigh('EventsLost', {
    what: 'security events are in the log, and not in their table',
    runbook: 'Lost events',
    metric: ownMetric(stage, 'EventsLost', COUNTED),
    threshold: 1,
  });
  alarms.whenHigh('StaleCredentials', {
    what: 'credentials cannot be asked for again, and are used as they were',
    runbook: 'Stale credentials',
    metric: ownMetric(stage, 'StaleCredentials', COUNTED),
    threshold: 1,
  });
  alarms.whenLow('SweepLate', {
    what: 'no round of the sweep has ended for two days',
    runbook: 'A late sweep',
    metric: ownMetric(stage, 'SweepRounds', { statistic: 'Sum', period: DAY }),
    threshold: 1,
    periods: 2,
  });
  alarms.whenHigh('SweepFailures', {
    what: 'a sweep could not do some of its work',
    runbook: 'Failures of a sweep',
    metric: ownMetric(stage, 'SweepFailures', { statistic: 'Sum', period: DAY }),
    threshold: 1,
  });
};
