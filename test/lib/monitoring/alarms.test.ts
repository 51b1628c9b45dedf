import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { type FunctionName, functions } from '../../../lambdas/manifest.ts';
import { tables } from '../../../lambdas/storage-manifest.ts';
import { METRICS } from '../../../layers/core/domain/metrics/index.ts';
import { LOG_METRICS } from '../../../lib/monitoring/log-metrics.ts';
import { pascalCase } from '../../../lib/pascal-case.ts';
import { headingsOf } from '../../docs/headings.ts';
import { alarmsIn, expectFiredBy, placeholderOf, stage } from '../../support/alarms.ts';
import type { Datum } from '../../support/cloudwatch.ts';
import { stateOf } from '../../support/cloudwatch-alarms.ts';
import { grantsOf, PROD, synthesized } from '../../support/synthesized.ts';

const NOW = 1_795_176_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const alarms = alarmsIn(stage());

/** A value of a metric of AWS in each of some periods, the newest now. */
const measured = (
  [namespace, name, dimensions]: readonly [string, string, Record<string, string>],
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

describe('the runbook', () => {
  const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith('Alarms\n')) ?? '';
  const canary = { slug: 'status', tool: 'getStatus', arguments: {} };
  const all = alarmsIn(synthesized({ canary }));
  const named = [...all.values()].map(
    ({ AlarmDescription }) =>
      /^Hosted MCP: [a-zA-Z].*\. What to do: docs\/operations\.md, "([^"]+)"$/.exec(
        AlarmDescription,
      )?.[1],
  );

  test('has a heading for each alarm, and no other', () => {
    expect(headingsOf(section).toSorted()).toEqual([...new Set(named)].toSorted());
  });
});

describe('every alarm', () => {
  test('notifies the topic', () => {
    const { service } = stage();
    service.allResourcesProperties('AWS::CloudWatch::Alarm', {
      AlarmActions: [{ Ref: Match.stringLikeRegexp('^AlarmsTopic') }],
    });
  });

  test('spans at most what CloudWatch evaluates', () => {
    for (const [name, { Period, Metrics, EvaluationPeriods }] of alarms) {
      const period =
        Period ?? Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? 0;
      const longest = period >= 3600 ? 7 * 86_400 : 86_400;
      expect([name, period * EvaluationPeriods <= longest && period > 0]).toEqual([name, true]);
    }
  });
});

describe.each(Object.keys(functions) as FunctionName[])('of the function %s', (name) => {
  const id = pascalCase(name);
  const ofFunction = (metric: string) =>
    ['AWS/Lambda', metric, { FunctionName: `Functions${id}Function` }] as const;
  const { timeoutSeconds, schedules } = functions[name];

  test('an invocation that ends without an answer goes to a person', () => {
    const [fine, fired] = [0, 1].map((value) => measured(ofFunction('Errors'), value));
    expectFiredBy(`${id}Errors`, { fine: fine!, fired: fired!, atMs: NOW });
  });

  test('so does an invocation that is refused', () => {
    const [fine, fired] = [0, 1].map((value) => measured(ofFunction('Throttles'), value));
    expectFiredBy(`${id}Throttles`, { fine: fine!, fired: fired!, atMs: NOW });
  });

  test('so does a quarter of an hour in which one in twenty takes too long', () => {
    const slow = 1000 * timeoutSeconds * (schedules ? 0.95 : 0.5);
    const quick = measured(ofFunction('Duration'), 10, 19).map((each) => ({ ...each, atMs: NOW }));
    const often = [0, 1, 2].flatMap((back) =>
      quick.map((one) => ({ ...one, atMs: NOW - back * 5 * MINUTE })),
    );
    const slows = (count: number, periods: number) =>
      Array.from({ length: count }, () => measured(ofFunction('Duration'), slow, periods)).flat();

    expectFiredBy(`${id}Slow`, {
      fine: [...often, ...slows(2, 2)],
      fired: [...often, ...slows(2, 3)],
      atMs: NOW,
    });
    expectFiredBy(`${id}Slow`, {
      fine: [...often, ...slows(1, 3)],
      fired: slows(1, 3),
      atMs: NOW,
    });
  });

  test('so does a number of executions near what is reserved', () => {
    const reserved = PROD.reservedConcurrency[name];
    if (reserved === undefined) {
      expect(alarms.has(`${id}Concurrency`)).toBe(false);
      return;
    }
    const running = (count: number) =>
      measured(ofFunction('ConcurrentExecutions'), count, 3, MINUTE);
    const limit = Math.ceil(0.8 * reserved);

    expect(limit).toBeLessThanOrEqual(reserved);
    expectFiredBy(`${id}Concurrency`, {
      fine: running(limit - 1),
      fired: running(limit),
      atMs: NOW,
    });
  });

  const waitsForNobody = ['mails', 'activity', 'maintenance'].includes(name);
  test(`${waitsForNobody ? 'so does an event that is lost' : 'no event can be lost'}`, () => {
    if (!waitsForNobody) {
      expect(alarms.has(`${id}Dropped`)).toBe(false);
      return;
    }
    for (const metric of ['AsyncEventsDropped', 'DestinationDeliveryFailures']) {
      const [fine, fired] = [0, 1].map((value) => measured(ofFunction(metric), value));
      expectFiredBy(`${id}Dropped`, { fine: fine!, fired: fired!, atMs: NOW });
    }
  });
});

describe('of what AWS measures besides', () => {
  const rate = (name: string) => ['AWS/SES', name, {}] as const;

  test.each([
    ['ServerErrors', ['AWS/ApiGateway', '5xx', { ApiId: 'ApiHttp' }], 4, 5],
    ['BounceRate', rate('Reputation.BounceRate'), 0.049, 0.05],
    ['ComplaintRate', rate('Reputation.ComplaintRate'), 0.0009, 0.001],
    ...['DeliveryErrors', 'DeliveryThrottling'].map(
      (metric) =>
        [
          'ActivityUndelivered',
          [
            'AWS/Logs',
            metric,
            {
              LogGroupName: 'LogsRouter',
              DestinationType: 'Lambda',
              FilterName: 'lines-for-activity',
            },
          ],
          0,
          1,
        ] as const,
    ),
    ...Object.keys(tables).flatMap((table) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
        (metric) =>
          [
            `${pascalCase(table)}TableThrottles`,
            ['AWS/DynamoDB', metric, { TableName: `Data${pascalCase(table)}` }],
            9,
            10,
          ] as const,
      ),
    ),
    ['UnsentMails', queue('UnsentMails', 'ApproximateNumberOfMessagesVisible'), 0, 1],
    [
      'UndeliveredCommands',
      queue('SchedulesUndelivered', 'ApproximateNumberOfMessagesVisible'),
      0,
      1,
    ],
    ['UnstoredCalls', queue('UnstoredCalls', 'ApproximateAgeOfOldestMessage'), 3599, 3600],
  ] as const)('%s goes off for %j at the second number', (name, metric, fine, fired) => {
    expectFiredBy(name, {
      fine: measured(metric, fine),
      fired: measured(metric, fired),
      atMs: NOW,
    });
  });
});

describe('the alarm on the sweep', () => {
  const alarm = alarms.get('SweepLate')!;
  const rounds = (...ended: readonly number[]): readonly Datum[] =>
    ended.map((value, back) => ({
      namespace: 'HostedMcp/prod',
      name: 'SweepRounds',
      dimensions: {},
      value,
      atMs: NOW - back * 24 * HOUR,
    }));

  test.each([
    ['a round that ended today', rounds(1), 'OK'],
    ['one that ended yesterday', rounds(0, 1), 'OK'],
    ['two days in which none ended', rounds(0, 0), 'ALARM'],
    ['two days in which none began, which it tells as well', [], 'INSUFFICIENT_DATA'],
  ])('after %s', (_, data, state) => {
    expect(stateOf(alarm, data, NOW, placeholderOf)).toBe(state);
    expect((alarm as unknown as Record<string, unknown>)['InsufficientDataActions']).toHaveLength(
      1,
    );
  });
});

describe('a stage without metrics of its own', () => {
  const { service } = synthesized({ metrics: false });

  test('has functions write none, filters make none, and alarms wait for none', () => {
    expect(JSON.stringify(service.toJSON())).not.toMatch(/METRICS_NAMESPACE|HostedMcp\/prod/);
  });

  test('has all alarms on what AWS measures', () => {
    const own = [...alarms].filter(([, { Namespace }]) => Namespace === 'HostedMcp/prod');
    const left = alarmsIn(synthesized({ metrics: false }));

    expect(own.length).toBeGreaterThan(8);
    expect(left.size).toBe(alarms.size - own.length);
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
    Object.values(synthesized({ traces }).service.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.TracingConfig as unknown,
    );

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
    expect(traced.data.toJSON()).toEqual(stage().data.toJSON());
  });
});

function queue(id: string, metric: string) {
  return ['AWS/SQS', metric, { QueueName: id }] as const;
}
