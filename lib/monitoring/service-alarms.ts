import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type {
  CREDENTIAL_OUTCOMES,
  MetricName,
} from '../../layers/platform/rules/metrics/metrics.ts';
import type { RouteKind } from '../../layers/platform/rules/metrics/route-kind.ts';
import type { Stage } from '../stage/stage.ts';
import type { Alarms } from './alarms.ts';
import type { LogMetricName } from './log-metrics.ts';
import { awsMetric, DAY, FIVE_MINUTES, HOUR, ownMetric, shareOf, sumOf } from './metrics.ts';

export interface ServiceAlarmsProps {
  readonly alarms: Alarms;
  readonly stage: Pick<Stage, 'backupCopyTo' | 'metrics' | 'name'>;
  readonly api: HttpApi;
  /** AWS Backup vault; undefined without backups. */
  readonly backupVaultName: string | undefined;
}

export const addServiceAlarms = (props: ServiceAlarmsProps): void => {
  addGatewayAlarms(props);
  addMailAlarms(props);
  addBackupAlarms(props);
  if (props.stage.metrics !== true) return;
  addOutageAlarms(props);
  addRetrievalAlarms(props);
  addOwnAlarms(props);
};

const answers = ({ api }: ServiceAlarmsProps, metricName: '4xx' | '5xx' | 'Count') =>
  awsMetric(
    'AWS/ApiGateway',
    metricName,
    { statistic: 'Sum', period: FIVE_MINUTES },
    { ApiId: api.apiId },
  );

const addGatewayAlarms = (props: ServiceAlarmsProps): void => {
  const { alarms } = props;
  const among = [answers(props, 'Count')];
  alarms.whenHigh('ServerErrors', {
    severity: 'page',
    what: 'one in twenty requests is answered with 500 or more',
    runbook: 'Server errors',
    isEssential: true,
    metric: shareOf([answers(props, '5xx')], among, 3),
    threshold: 5,
    periods: 2,
  });
  alarms.whenHigh('ClientErrors', {
    severity: 'notice',
    what: 'most requests are refused, or find nothing',
    runbook: 'Refused requests',
    metric: shareOf([answers(props, '4xx')], among, 100),
    threshold: 50,
    periods: 3,
  });
};

/** Rates of the whole account: SES suspends an account by these two. */
const addMailAlarms = ({ alarms }: ServiceAlarmsProps): void => {
  const hourly = { statistic: 'Average', period: HOUR } as const;
  alarms.whenHigh('BounceRate', {
    severity: 'notice',
    what: 'too many mails of this account bounce',
    runbook: 'Returned mails',
    metric: awsMetric('AWS/SES', 'Reputation.BounceRate', hourly),
    threshold: 0.05,
  });
  alarms.whenHigh('ComplaintRate', {
    severity: 'notice',
    what: 'too many recipients complain of mails of this account',
    runbook: 'Returned mails',
    metric: awsMetric('AWS/SES', 'Reputation.ComplaintRate', hourly),
    threshold: 0.001,
  });
};

const addBackupAlarms = ({ alarms, stage, backupVaultName }: ServiceAlarmsProps): void => {
  if (backupVaultName === undefined) return;
  const jobs = (state: 'Aborted' | 'Completed' | 'Expired' | 'Failed') =>
    awsMetric(
      'AWS/Backup',
      `NumberOfBackupJobs${state}`,
      { statistic: 'Sum', period: DAY },
      { BackupVaultName: backupVaultName },
    );
  alarms.whenHigh('BackupsFailed', {
    severity: 'notice',
    what: 'a table or a bucket was not backed up',
    runbook: 'Failed backups',
    metric: sumOf([jobs('Failed'), jobs('Expired'), jobs('Aborted')], DAY, 'Failed'),
    threshold: 1,
  });
  if (stage.backupCopyTo !== undefined) {
    alarms.whenHigh('CopiesFailed', {
      severity: 'notice',
      what: 'a backup was not copied to the other vault',
      runbook: 'Failed copies of backups',
      metric: copiesFailed(stage.backupCopyTo, backupVaultName),
      threshold: 1,
    });
  }
  alarms.whenLow('BackupsLate', {
    severity: 'notice',
    what: 'nothing was backed up for two days',
    runbook: 'Failed backups',
    isEssential: true,
    metric: jobs('Completed'),
    threshold: 1,
    periods: 2,
  });
};

/** AWS does not document which of both vaults counts a copy. @param vault - ARN of the copies' vault */
const copiesFailed = (vault: string, backupVaultName: string): IMetric => {
  const names = [backupVaultName, vault.split(':').at(-1) ?? ''];
  return sumOf(
    names.map((BackupVaultName) =>
      awsMetric(
        'AWS/Backup',
        'NumberOfCopyJobsFailed',
        { statistic: 'Sum', period: DAY },
        { BackupVaultName },
      ),
    ),
    DAY,
    'Failed',
  );
};

const counted = (
  { stage }: ServiceAlarmsProps,
  metricName: MetricName | LogMetricName,
  dimensions: Record<string, string> = {},
  statistic: 'Sum' | 'SampleCount' = 'Sum',
) => ownMetric(stage, metricName, { statistic, period: FIVE_MINUTES }, dimensions);

/** Outages that drown among all requests, or are answered with 200 or 429. */
const addOutageAlarms = (props: ServiceAlarmsProps): void => {
  const { alarms } = props;
  alarms.whenHigh('Throttled', {
    severity: 'page',
    what: 'the gateway refuses one in twenty requests for their number, whoever sends them',
    runbook: 'Throttled requests',
    metric: shareOf([counted(props, 'GatewayThrottles')], [answers(props, 'Count')], 20),
    threshold: 5,
    periods: 2,
  });
  const signIn: readonly RouteKind[] = ['authorization', 'tokens', 'accounts'];
  alarms.whenHigh('SignInErrors', {
    severity: 'page',
    what: 'one in five sign-ins or requests for tokens fails',
    runbook: 'Server errors',
    metric: shareOf(
      signIn.map((Route) => counted(props, 'Faults', { Route })),
      signIn.map((Route) => counted(props, 'Faults', { Route }, 'SampleCount')),
      3,
    ),
    threshold: 20,
    periods: 2,
  });
};

const addRetrievalAlarms = (props: ServiceAlarmsProps): void => {
  const { alarms } = props;
  for (const [id, what, failure] of [
    ['Credential', 'credentials of target APIs', 'cannot be read'],
    ['Connection', 'tokens for target APIs', 'can neither be read nor asked for'],
  ] as const) {
    const retrievals = (Outcome: (typeof CREDENTIAL_OUTCOMES)[number]) =>
      counted(props, `${id}Retrieval`, { Outcome }, 'SampleCount');
    const failed = [retrievals('denied'), retrievals('unavailable')];
    alarms.whenHigh(`${id}Errors`, {
      severity: 'page',
      what: `${what} ${failure}, so that calls with them fail`,
      runbook: 'Unreadable credentials',
      metric: shareOf(failed, [...failed, retrievals('ok')], 3),
      threshold: 50,
      periods: 2,
    });
    // A caller over its limit waits for the next minute: nothing else shows that a limit is too low.
    const limited = retrievals('limited');
    alarms.whenHigh(`${id}sLimited`, {
      severity: 'notice',
      what: `one in twenty retrievals of ${what} is refused by a limit`,
      runbook: 'Limited credentials',
      metric: shareOf([limited], [limited, retrievals('ok')], 3),
      threshold: 5,
      periods: 2,
    });
  }
};

const addOwnAlarms = (props: ServiceAlarmsProps): void => {
  const { alarms, stage } = props;
  const whenHourly = (metricName: MetricName, what: string, runbook: string, threshold = 1) =>
    alarms.whenHigh(metricName, {
      severity: 'notice',
      what,
      runbook,
      metric: ownMetric(stage, metricName, { statistic: 'Sum', period: HOUR }),
      threshold,
    });
  const daily = (metricName: MetricName) =>
    ownMetric(stage, metricName, { statistic: 'Sum', period: DAY });

  whenHourly('Bugs', 'a request failed for an error of the service itself', 'Bugs');
  whenHourly('AwsDenials', 'a call to AWS was denied', 'Denied by AWS');
  alarms.whenHigh('AwsThrottles', {
    severity: 'notice',
    what: 'one in a hundred requests fails since AWS (DynamoDB, KMS and others) throttles calls',
    runbook: 'Throttled by AWS',
    metric: shareOf([counted(props, 'AwsThrottles')], [answers(props, 'Count')], 5),
    threshold: 1,
    periods: 2,
  });
  whenHourly(
    'AccountLocks',
    'many accounts were locked for wrong passwords',
    'Locked accounts',
    20,
  );
  alarms.whenHigh('BreakGlass', {
    severity: 'page',
    what: 'somebody signed in to an account that is kept for emergencies',
    runbook: 'Accounts for emergencies',
    metric: counted(props, 'BreakGlassUses'),
    threshold: 1,
  });
  whenHourly(
    'AddressBlocks',
    'many addresses were blocked on public deployments',
    'Blocked addresses',
    20,
  );
  whenHourly(
    'CompanyCheckFailures',
    'a company cannot be asked whether people still belong to it',
    'A company that cannot be asked',
  );
  whenHourly('EventsLost', 'security events are in the log, and not in their table', 'Lost events');
  alarms.whenHigh('StaleCredentials', {
    severity: 'notice',
    what: 'credentials cannot be asked for again, and are used as they were',
    runbook: 'Stale credentials',
    metric: counted(props, 'StaleCredentials'),
    threshold: 1,
    periods: 2,
  });
  alarms.whenLow('SweepLate', {
    severity: 'notice',
    what: 'no round of the sweep has ended for two days',
    runbook: 'A late sweep',
    metric: daily('SweepRounds'),
    threshold: 1,
    periods: 2,
  });
  alarms.whenHigh('SweepFailures', {
    severity: 'notice',
    what: 'a sweep could not do some of its work',
    runbook: 'Failures of a sweep',
    metric: daily('SweepFailures'),
    threshold: 1,
  });
};
