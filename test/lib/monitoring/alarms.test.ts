import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { functions } from '../../../lambdas/manifest.ts';
import { tables } from '../../../lambdas/storage-manifest.ts';
import { METRICS } from '../../../layers/platform/rules/metrics/metrics.ts';
import { inTheWay } from '../../../lib/functions/in-the-way.ts';
import { LOG_METRICS } from '../../../lib/monitoring/log-metrics.ts';
import { pascalCase } from '../../../lib/pascal-case.ts';
import type { Stage } from '../../../lib/stage/stage.ts';
import { headingsOf } from '../../docs/headings.ts';
import { alarmsIn, expectFiredBy, placeholderOf, stage } from '../../support/stacks/alarms.ts';
import { stateOf } from '../../support/stacks/cloudwatch-alarms.ts';
import type { Datum } from '../../support/aws/cloudwatch.ts';
import { matchesEvent } from '../../support/aws/event-pattern.ts';
import { grantsOf, PROD, STAGES, synthesized } from '../../support/stacks/synthesized.ts';

const NOW = 1_795_176_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const alarms = alarmsIn(stage());

type Metric = readonly [
  namespace: string,
  name: string,
  dimensions: Readonly<Record<string, string>>,
];

/** A value of a metric of AWS in each of some periods, the newest now. */
const measured = (
  [namespace, name, dimensions]: Metric,
  value: number,
  periods = 1,
  everyMs = 5 * MINUTE,
): readonly Datum[] =>
  Array.from({ length: periods }, (_, back) => ({
    namespace,
    name,
    dimensions,
    value,
    atMs: NOW - back * everyMs,
  }));

const stateAt = (name: string, data: readonly Datum[], atMs: number) =>
  stateOf(alarms.get(name)!, data, atMs, placeholderOf);

const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
const headings = headingsOf(text.split(/^## /m).find((each) => each.startsWith('Alarms\n')) ?? '');

/** What a person reads of an alarm, or of a rule that tells the topic by itself. */
const read = (description: string) => {
  const [, severity, runbook] =
    /^Hosted MCP, (page|notice|release): \S.*[^.]\. What to do: docs\/operations\.md, "([^"]+)"$/.exec(
      description,
    ) ?? [];
  if (severity === undefined) throw new Error(description);
  return { severity, runbook };
};

const TOLD_BY_RULE = 'A key that cannot be used';

describe('the runbook', () => {
  test('has a heading for each alarm, and no other', () => {
    const named = [...alarms.values()].map(
      ({ AlarmDescription }) => read(AlarmDescription).runbook,
    );

    expect(headings.toSorted()).toEqual([...new Set([...named, TOLD_BY_RULE])].toSorted());
  });
});

describe('each heading', () => {
  const severities = new Map<string, Set<string>>();
  for (const { AlarmDescription } of alarms.values()) {
    const { severity, runbook = '' } = read(AlarmDescription);
    severities.set(runbook, (severities.get(runbook) ?? new Set()).add(severity));
  }

  test.each([...severities])('"%s" begins with how bad it is', (heading, found) => {
    const [, begin] = text.split(`### ${heading}\n\n`);
    const [severity = ''] = found;

    expect(found.size).toBe(1);
    const word = { page: 'Page', notice: 'Notice', release: 'In a release' }[severity];
    expect(begin).toMatch(new RegExp(`^${word}`));
  });
});

describe.each(Object.entries(STAGES))('every alarm of the stage %s', (_, stageOfIt) => {
  const ofStage = alarmsIn(synthesized({}, stageOfIt));

  test('says how bad it is and where to read on, and tells when it begins and when it is over', () => {
    for (const [name, { AlarmDescription, AlarmActions, OKActions }] of ofStage) {
      const { severity, runbook } = read(AlarmDescription);

      expect(headings).toContain(runbook);
      // Those of a release tell CodeDeploy alone.
      expect([name, AlarmActions?.length ?? 0]).toEqual([name, severity === 'release' ? 0 : 1]);
      expect([name, OKActions]).toEqual([name, AlarmActions]);
    }
  });

  test('takes what is not measured for well, but for what has to happen again and again', () => {
    const breaching = [...ofStage].filter(([, each]) => each.TreatMissingData !== 'notBreaching');

    expect(breaching.map(([name, { TreatMissingData }]) => [name, TreatMissingData])).toEqual(
      ['TallyLate', 'BackupsLate', 'SweepLate', 'Canary']
        .filter((name) => ofStage.has(name))
        .map((name) => [name, 'breaching']),
    );
  });

  test('spans at most what CloudWatch evaluates, of ten metrics at most', () => {
    for (const [name, { Period, Metrics = [], EvaluationPeriods }] of ofStage) {
      const measurements = Metrics.filter(({ MetricStat }) => MetricStat);
      const period = Period ?? measurements[0]?.MetricStat?.Period ?? Metrics[0]?.Period ?? 0;
      const longest = period >= 3600 ? 7 * 86_400 : 86_400;
      expect([name, period * EvaluationPeriods <= longest && period > 0]).toEqual([name, true]);
      expect(measurements.length).toBeLessThanOrEqual(10);
    }
  });

  test('judges no percentile of a handful of values', () => {
    for (const { ExtendedStatistic, EvaluateLowSampleCountPercentile } of ofStage.values()) {
      expect(EvaluateLowSampleCountPercentile).toBe(ExtendedStatistic && 'ignore');
    }
  });
});

describe('the topics', () => {
  const [page, notice] = ['pager', 'tickets'].map(
    (name) => `arn:aws:sns:eu-central-1:111122223333:${name}`,
  );
  const topicsOf = (over: Partial<Stage>, severity: string) => {
    const { edgeAlarms: _, ...others } = synthesized(over);
    const found = [...alarmsIn(others).values()]
      .filter(({ AlarmDescription }) => read(AlarmDescription).severity === severity)
      .flatMap(({ AlarmActions = [] }) => AlarmActions.map((each) => JSON.stringify(each)));
    return [...new Set(found)];
  };

  test('are two where a stage names two: one wakes somebody, the other can wait', () => {
    const named = { alarmTopicArn: page, noticeTopicArn: notice };

    expect(topicsOf(named, 'page')).toEqual([`"${page}"`]);
    expect(topicsOf(named, 'notice')).toEqual([`"${notice}"`]);
  });

  test('are one where it names one, or none', () => {
    expect(topicsOf({ alarmTopicArn: page }, 'notice')).toEqual([`"${page}"`]);
    expect(topicsOf({}, 'notice')).toEqual(topicsOf({}, 'page'));
    expect(topicsOf({}, 'page')).toEqual([expect.stringMatching(/^\{"Ref":"AlarmsTopic/)]);
  });
});

describe.each(inTheWay)('of the function %s, which requests wait for,', (name) => {
  const id = pascalCase(name);
  const ofFunction = (metric: string): Metric => [
    'AWS/Lambda',
    metric,
    { FunctionName: `Functions${id}Function` },
  ];
  const among = (invocations: number) => measured(ofFunction('Invocations'), invocations, 2);

  test('five in a hundred invocations without an answer, for ten minutes, go to a person', () => {
    const errors = (count: number, periods = 2) => measured(ofFunction('Errors'), count, periods);

    expectFiredBy(`${id}Errors`, {
      fine: [...among(1000), ...errors(49)],
      fired: [...among(1000), ...errors(50)],
      atMs: NOW,
    });
    expectFiredBy(`${id}Errors`, {
      fine: [...among(3), ...errors(2)],
      fired: [...among(3), ...errors(3)],
      atMs: NOW,
    });
    expectFiredBy(`${id}Errors`, {
      fine: [...among(100), ...errors(90, 1)],
      fired: [...among(100), ...errors(90)],
      atMs: NOW,
    });
  });

  test('so does one in a hundred that is refused', () => {
    const throttles = (count: number) => measured(ofFunction('Throttles'), count, 2);

    expectFiredBy(`${id}Throttles`, {
      fine: [...among(991), ...throttles(9)],
      fired: [...among(990), ...throttles(10)],
      atMs: NOW,
    });
  });

  test('so does a quarter of an hour in which one in twenty of many takes too long', () => {
    const slow = 1000 * functions[name].timeoutSeconds * 0.5;
    const taking = (ms: number, count: number, periods = 3) =>
      Array.from({ length: count }, () => measured(ofFunction('Duration'), ms, periods)).flat();
    const often = taking(10, 190);

    expectFiredBy(`${id}Slow`, {
      fine: [...often, ...taking(slow, 20, 2)],
      fired: [...often, ...taking(slow, 20)],
      atMs: NOW,
    });
    expectFiredBy(`${id}Slow`, {
      fine: taking(slow, 199),
      fired: taking(slow, 200),
      atMs: NOW,
    });
  });

  test('so does a number of executions near what is reserved', () => {
    const reserved = PROD.reservedConcurrency[name] ?? 0;
    const running = (count: number) =>
      measured(ofFunction('ConcurrentExecutions'), count, 3, MINUTE);
    const limit = Math.ceil(0.8 * reserved);

    expect(limit).toBeLessThan(reserved);
    expectFiredBy(`${id}Concurrency`, {
      fine: running(limit - 1),
      fired: running(limit),
      atMs: NOW,
    });
  });
});

describe.each(['mails', 'activity', 'maintenance'])(
  'of the function %s, which nobody waits for,',
  (name) => {
    const id = pascalCase(name);
    const ofFunction = (metric: string): Metric => [
      'AWS/Lambda',
      metric,
      { FunctionName: `Functions${id}Function` },
    ];

    test('events go to a person when they wait too long or are lost, and nothing else does', () => {
      const late = (minutes: number) => measured(ofFunction('AsyncEventAge'), minutes * MINUTE);

      expectFiredBy(`${id}Waiting`, { fine: late(14), fired: late(15), atMs: NOW });
      for (const metric of ['AsyncEventsDropped', 'DestinationDeliveryFailures']) {
        const [fine, fired] = [0, 1].map((value) => measured(ofFunction(metric), value));
        expectFiredBy(`${id}Dropped`, { fine: fine!, fired: fired!, atMs: NOW });
      }
      for (const kind of ['Errors', 'Throttles', 'Slow', 'Concurrency']) {
        expect(alarms.has(`${id}${kind}`)).toBe(false);
      }
    });
  },
);

test('of the hourly command of a function with requests a lost one goes to a person', () => {
  for (const metric of ['AsyncEventsDropped', 'DestinationDeliveryFailures']) {
    const lost = (count: number) =>
      measured(['AWS/Lambda', metric, { FunctionName: 'FunctionsOauthFunction' }], count);
    expectFiredBy('OauthDropped', { fine: lost(0), fired: lost(1), atMs: NOW });
  }
  expect(alarms.has('RouterDropped')).toBe(false);
});

describe('of what AWS measures besides', () => {
  const rate = (name: string): Metric => ['AWS/SES', name, {}];
  const queue = (id: string, metric: string): Metric => ['AWS/SQS', metric, { QueueName: id }];
  const OF_STREAM = {
    DestinationType: 'whatever it is',
    FilterName: 'HostedMcp-prod-Service-lines-out',
  };
  const FILTERS = [
    [
      'Activity',
      {
        LogGroupName: 'LogsRouter',
        DestinationType: 'whatever it is',
        FilterName: 'lines-for-activity',
      },
    ],
    ['Stream', { ...OF_STREAM, LogGroupName: 'LogsRouter' }],
    ['Stream', { ...OF_STREAM, LogGroupName: 'LogsOauth' }],
  ] as const;
  const jobs = (state: string): Metric => [
    'AWS/Backup',
    `NumberOfBackupJobs${state}`,
    { BackupVaultName: 'BackupVault' },
  ];

  test.each<[string, Metric, number, number, number?]>([
    ['BounceRate', rate('Reputation.BounceRate'), 0.049, 0.05],
    ['ComplaintRate', rate('Reputation.ComplaintRate'), 0.0009, 0.001],
    ...FILTERS.flatMap(([id, dimensions]): [string, Metric, number, number, number][] => [
      [`${id}Undelivered`, ['AWS/Logs', 'DeliveryErrors', dimensions], 0, 1, 1],
      [`${id}Throttled`, ['AWS/Logs', 'DeliveryThrottling', dimensions], 0, 1, 3],
    ]),
    ['StreamErrors', ['AWS/Logs', 'IncomingLogEvents', { LogGroupName: 'LogsStreamErrors' }], 0, 1],
    [
      'StreamLate',
      [
        'AWS/Firehose',
        'DeliveryToS3.DataFreshness',
        { DeliveryStreamName: 'LinesOutDeliveryStream' },
      ],
      899,
      900,
    ],
    ['UnsentMails', queue('UnsentMails', 'ApproximateNumberOfMessagesVisible'), 0, 1],
    [
      'UndeliveredCommands',
      queue('UndeliveredCommands', 'ApproximateNumberOfMessagesVisible'),
      0,
      1,
    ],
    ['UnstorableCalls', queue('UnstorableCalls', 'ApproximateNumberOfMessagesVisible'), 0, 1],
    ['Untallied', queue('Untallied', 'ApproximateNumberOfMessagesVisible'), 0, 1],
    ['UnstoredCalls', queue('UnstoredCalls', 'ApproximateAgeOfOldestMessage'), 3599, 3600],
    ...['Failed', 'Expired', 'Aborted'].map((state): [string, Metric, number, number] => [
      'BackupsFailed',
      jobs(state),
      0,
      1,
    ]),
    ...['BackupVault', 'copies'].map((BackupVaultName): [string, Metric, number, number] => [
      'CopiesFailed',
      ['AWS/Backup', 'NumberOfCopyJobsFailed', { BackupVaultName }],
      0,
      1,
    ]),
    [
      'FloodingAddress',
      [
        'AWS/WAFV2',
        'BlockedRequests',
        { WebACL: 'HostedMcp-prod-Edge-eu-central-1', Rule: 'RequestsOfOneAddress' },
      ],
      999,
      1000,
    ],
  ])('%s goes off for %j at the second number', (name, metric, fine, fired, periods = 1) => {
    expectFiredBy(name, {
      fine: measured(metric, fine, periods),
      fired: measured(metric, fired, periods),
      atMs: NOW,
    });
  });

  test.each(FILTERS)('%s is not over while a filter that was denied is off', (id, dimensions) => {
    const denied = measured(['AWS/Logs', 'DeliveryErrors', dimensions], 1);
    const at = (minutes: number) => stateAt(`${id}Undelivered`, denied, NOW + minutes * MINUTE);

    expect([at(0), at(10), at(15)]).toEqual(['ALARM', 'ALARM', 'OK']);
  });

  test.each(FILTERS)('%s says nothing of ten minutes of throttling', (id, dimensions) => {
    const throttled = measured(['AWS/Logs', 'DeliveryThrottling', dimensions], 1, 2);

    expect(stateAt(`${id}Throttled`, throttled, NOW)).toBe('OK');
  });

  test('failures of the distribution go to a person, from one in twenty and three on', () => {
    const of = (name: string): Metric => [
      'AWS/CloudFront',
      name,
      { DistributionId: 'DistributionId', Region: 'Global' },
    ];
    const answered = (requests: number, percent: number) => [
      ...measured(of('Requests'), requests, 2),
      ...measured(of('5xxErrorRate'), percent, 2),
    ];

    expectFiredBy('DistributionErrors', {
      fine: answered(100, 4.9),
      fired: answered(100, 5),
      atMs: NOW,
    });
    expectFiredBy('DistributionErrors', {
      fine: answered(2, 100),
      fired: answered(3, 100),
      atMs: NOW,
    });
  });
});

describe('the alarm on what has to happen every minute', () => {
  const ofTally = (metric: string): Metric => [
    'AWS/Lambda',
    metric,
    { FunctionName: 'FunctionsTallyFunction' },
  ];
  const ran = (runs: number, errors: number) => [
    ...measured(ofTally('Invocations'), runs),
    ...measured(ofTally('Errors'), errors),
  ];

  test('goes off where no run has ended well for a quarter of an hour, or there was none', () => {
    const over = ran(15, 0).map((each) => ({ ...each, atMs: NOW + HOUR }));
    expectFiredBy('TallyLate', { fine: ran(15, 14), fired: ran(15, 15), over, atMs: NOW });
    expectFiredBy('TallyLate', { fine: ran(15, 0), fired: [], over, atMs: NOW });
    // Each run has sixteen parts, which end well.
    expectFiredBy('TallyLate', { fine: ran(255, 3), fired: ran(255, 15), over, atMs: NOW });
  });

  test('is the only one of that function', () => {
    expect([...alarms.keys()].filter((name) => name.startsWith('Tally'))).toEqual(['TallyLate']);
  });
});

describe('the alarms on what has to happen every day', () => {
  const days = (metric: Metric, ...values: readonly number[]): readonly Datum[] =>
    values.flatMap((value, back) =>
      measured(metric, value).map((each) => ({ ...each, atMs: NOW - back * 24 * HOUR })),
    );

  test.each<[string, Metric]>([
    ['SweepLate', ['HostedMcp/prod', 'SweepRounds', {}]],
    [
      'BackupsLate',
      ['AWS/Backup', 'NumberOfBackupJobsCompleted', { BackupVaultName: 'BackupVault' }],
    ],
  ])('%s goes off after two days without one, in a new stage as well', (name, metric) => {
    const over = measured(metric, 1).map((each) => ({ ...each, atMs: NOW + 24 * HOUR }));

    expectFiredBy(name, { fine: days(metric, 0, 1), fired: days(metric, 0, 0), over, atMs: NOW });
    expectFiredBy(name, { fine: days(metric, 1), fired: [], over, atMs: NOW });
  });
});

describe('the rule on keys', () => {
  const [rule] = Object.values(stage().service.findResources('AWS::Events::Rule')).filter(
    ({ Properties }) => JSON.stringify(Properties).includes('aws.kms'),
  ) as {
    Properties: {
      EventPattern: { detail: { eventName: string[]; resources: { ARN: unknown[] } } };
      Targets: { Arn: unknown; InputTransformer: { InputTemplate: string } }[];
    };
  }[];
  const { EventPattern: pattern, Targets: targets } = rule!.Properties;

  /** A call as CloudTrail tells of it. Source: AWS KMS Developer Guide, "DisableKey". */
  const call = (eventName: string, key: string, more: object = {}) => ({
    source: 'aws.kms',
    'detail-type': 'AWS API Call via CloudTrail',
    detail: {
      eventSource: 'kms.amazonaws.com',
      eventName,
      userIdentity: { arn: 'arn:aws:iam::111122223333:user/ada' },
      requestParameters: { keyId: key },
      resources: [{ ARN: key, type: 'AWS::KMS::Key' }],
      ...more,
    },
  });
  const tells = (event: unknown) => matchesEvent(pattern, event, placeholderOf);

  const watched = pattern.detail.resources.ARN;

  test('watches every key of the stage', () => {
    const { data } = stage();

    expect(watched).toHaveLength(Object.keys(data.findResources('AWS::KMS::Key')).length);
  });

  test.each(watched.map(placeholderOf))(
    'tells when %s is disabled or deleted, and when it is not any more',
    (key) => {
      for (const name of ['DisableKey', 'ScheduleKeyDeletion', 'EnableKey', 'CancelKeyDeletion']) {
        expect([name, tells(call(name, key))]).toEqual([name, true]);
      }
      expect(tells(call('DescribeKey', key))).toBe(false);
      expect(tells(call('DisableKey', key, { errorCode: 'AccessDenied' }))).toBe(false);
    },
  );

  test('tells of no key of others', () => {
    expect(tells(call('DisableKey', 'arn:aws:kms:eu-central-1:111122223333:key/other'))).toBe(
      false,
    );
  });

  test('tells the topic that wakes somebody, by words as those of an alarm', () => {
    const words = JSON.parse(targets[0]!.InputTransformer.InputTemplate) as string;

    expect(read(words)).toEqual({ severity: 'page', runbook: TOLD_BY_RULE });
    expect(targets).toMatchObject([
      { Arn: { Ref: expect.stringMatching(/^AlarmsTopic/) }, DeadLetterConfig: expect.anything() },
    ]);
  });
});

describe('a stage without metrics of its own', () => {
  const { service } = synthesized({ metrics: false });

  test('has functions write none, filters make none, and alarms wait for none', () => {
    expect(JSON.stringify(service.toJSON())).not.toMatch(/METRICS_NAMESPACE|HostedMcp\/prod/);
  });

  test('has all alarms on what AWS measures', () => {
    const all = alarmsIn(synthesized());
    const own = [...all].filter(([, alarm]) => JSON.stringify(alarm).includes('"HostedMcp/prod"'));
    const left = alarmsIn(synthesized({ metrics: false }));

    expect(own.length).toBeGreaterThan(8);
    expect(left.size).toBe(all.size - own.length);
  });
});

describe('the dashboard', () => {
  const [resource] = Object.values(stage().service.findResources('AWS::CloudWatch::Dashboard')) as {
    Properties: { DashboardBody: { 'Fn::Join': [string, unknown[]] } };
  }[];
  const [, parts] = resource!.Properties.DashboardBody['Fn::Join'];
  const { widgets } = JSON.parse(
    parts
      .map((part) =>
        // Region and account stand there as well.
        typeof part === 'string' ? part : JSON.stringify(part).replaceAll('"', ''),
      )
      .join(''),
  ) as { widgets: { properties: { title: string } }[] };
  const text = JSON.stringify(widgets);

  test('shows every metric that lines and filters make', () => {
    const names = [...Object.keys(METRICS), ...Object.keys(LOG_METRICS)];

    const isShown = (name: string) =>
      text.includes(`"HostedMcp/prod","${name}"`) || text.includes(`MetricName=${name} `);
    expect(names.filter((name) => !isShown(name))).toEqual([]);
  });

  test('shows every function and every table', () => {
    const labels = [...Object.keys(functions), ...Object.keys(tables)];

    expect(labels.filter((name) => !text.includes(`"label":"${name}"`))).toEqual([]);
  });

  test('has a title for each widget, no two the same, and is not there without metrics', () => {
    const titles = widgets.map(({ properties }) => properties.title);

    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.every((title) => title.length > 3)).toBe(true);
    synthesized({ metrics: false }).service.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });
});

describe('traces', () => {
  const modes = (traces: 'off' | 'xray') =>
    Object.entries(synthesized({ traces }).service.findResources('AWS::Lambda::Function'))
      .filter(([id]) => id.startsWith('Functions'))
      .map(([, { Properties }]) => Properties.TracingConfig as unknown);

  test('are off, with nothing of them in the template', () => {
    expect(new Set(modes('off'))).toEqual(new Set([undefined]));
    expect(JSON.stringify(stage().service.toJSON())).not.toContain('xray:');
  });

  test('are of every function where the stage has them, which may send them and do nothing else', () => {
    const traced = synthesized({ traces: 'xray' });

    expect(modes('xray')).toEqual(Object.keys(functions).map(() => ({ Mode: 'Active' })));
    for (const name of Object.keys(functions)) {
      expect(grantsOf(traced, name).filter(({ Resource }) => Resource === '*')).toMatchObject([
        { Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'] },
      ]);
    }
    expect(traced.data.toJSON()).toEqual(synthesized().data.toJSON());
  });
});
