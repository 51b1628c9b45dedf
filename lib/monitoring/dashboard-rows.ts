import {
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { type TableName, tables } from '../../lambdas/storage-manifest.ts';
import { CALL_OUTCOMES } from '../../layers/events/rules/call-outcome.ts';
import {
  CONNECTION_OUTCOMES,
  CREDENTIAL_OUTCOMES,
  MAIL_OUTCOMES,
  NEIGHBOURS,
} from '../../layers/platform/rules/metrics/metrics.ts';
import { ROUTE_KINDS } from '../../layers/platform/rules/metrics/route-kind.ts';
import { LOG_METRICS, type LogMetric, type LogMetricName } from './log-metrics.ts';
import { awsMetric, FIVE_MINUTES, idOf, type Statistic } from './metrics.ts';
import { metricsNamespace } from './namespace.ts';
import { type DashboardProps, graph, HEIGHT, ofFunction, ofTable, own, WIDTH } from './widgets.ts';

export const rowsOf = (props: DashboardProps): readonly (readonly IWidget[])[] => [
  requests(props),
  calls(props),
  ofFunctions(props),
  neighbours(props),
  people(props),
  waiting(props),
  costDrivers(props),
  otherMetrics(props),
];

const BY_ROUTE = ['Route', ROUTE_KINDS] as const;

const requests = (props: DashboardProps): readonly IWidget[] => [
  graph('Requests by route', own(props, 'Latency', 'SampleCount', BY_ROUTE)),
  graph('Answers of 500 and more by route', own(props, 'Faults', 'Sum', BY_ROUTE)),
  graph('Latency by route, p95', own(props, 'Latency', 'p95', BY_ROUTE)),
];

const calls = (props: DashboardProps): readonly IWidget[] => [
  graph('Calls of tools', own(props, 'ToolCalls', 'Sum', ['Outcome', CALL_OUTCOMES])),
  graph('Target APIs, p50 and p95', [
    ...own(props, 'TargetLatency', 'p50'),
    ...own(props, 'TargetLatency', 'p95'),
  ]),
  graph('What the gateway answered, and refused for its number', [
    ...own(props, 'GatewayThrottles', 'Sum'),
    ...['Count', '4xx', '5xx'].map((name) =>
      awsMetric(
        'AWS/ApiGateway',
        name,
        { statistic: 'Sum', period: FIVE_MINUTES, label: name },
        { ApiId: props.api.apiId },
      ),
    ),
  ]),
];

const names = Object.keys(functions) as FunctionName[];
const tableNames = Object.keys(tables) as TableName[];

const ofFunctions = ({ aliases }: DashboardProps): readonly IWidget[] => {
  const lines = (metric: string, statistic: Statistic) =>
    names.map((label) => ofFunction(aliases[label], metric, statistic, label));
  return [
    graph('Errors of functions', lines('Errors', 'Sum')),
    graph('Duration of functions, p95', lines('Duration', 'p95')),
    graph('Executions at once, and throttles', [
      ...lines('ConcurrentExecutions', 'Maximum'),
      ...lines('Throttles', 'Sum'),
    ]),
  ];
};

const neighbours = (props: DashboardProps): readonly IWidget[] => [
  graph('Requests that failed for a neighbour', [
    ...own(props, 'NeighbourFaults', 'Sum', ['Neighbour', NEIGHBOURS]),
    ...own(props, 'Bugs', 'Sum'),
  ]),
  graph('Throttled and denied by AWS', [
    ...own(props, 'AwsThrottles', 'Sum'),
    ...own(props, 'AwsDenials', 'Sum'),
  ]),
  graph(
    'Throttles of tables',
    tableNames.map((name) => ofTable(props, name, 'ReadThrottleEvents', 'WriteThrottleEvents')),
  ),
];

const people = (props: DashboardProps): readonly IWidget[] => [
  graph('Locks and emergencies', [
    ...own(props, 'AccountLocks', 'Sum'),
    ...own(props, 'AddressBlocks', 'Sum'),
    ...own(props, 'BreakGlassUses', 'Sum'),
  ]),
  graph('Companies that could not be asked', own(props, 'CompanyCheckFailures', 'Sum')),
  graph('Retrievals of credentials', [
    ...own(props, 'CredentialRetrieval', 'SampleCount', ['Outcome', CREDENTIAL_OUTCOMES]),
    ...own(props, 'ConnectionRetrieval', 'SampleCount', ['Outcome', CONNECTION_OUTCOMES]),
    ...own(props, 'StaleCredentials', 'Sum'),
  ]),
  graph('Mails', [
    ...own(props, 'Mails', 'Sum', ['Outcome', MAIL_OUTCOMES]),
    ...own(props, 'MailsReturned', 'Sum'),
  ]),
];

const waiting = (props: DashboardProps): readonly IWidget[] => [
  graph(
    'Waiting in queues',
    Object.entries(props.queues).map(([label, queue]) =>
      queue.metricApproximateNumberOfMessagesVisible({ label, statistic: 'Maximum' }),
    ),
  ),
  graph('Sweep, and events that are lost', [
    ...own(props, 'SweepRounds', 'Sum'),
    ...own(props, 'SweepFailures', 'Sum'),
    ...own(props, 'EventsLost', 'Sum'),
  ]),
  new LogQueryWidget({
    title: 'When the last sweeps ended (choose a week)',
    logGroupNames: [props.logs.of.maintenance.logGroupName],
    view: LogQueryVisualizationType.TABLE,
    queryLines: [
      'fields @timestamp, complete, deployments, removals, files, failed',
      'filter message = "swept"',
      'sort @timestamp desc',
      'limit 5',
    ],
    width: WIDTH,
    height: HEIGHT,
  }),
];

const costDrivers = (props: DashboardProps): readonly IWidget[] => [
  graph(
    'GB-seconds of functions',
    names.map((name) => {
      const duration = idOf(name, 'duration');
      return new MathExpression({
        expression: `${duration} / 1000 * ${functions[name].memoryMb / 1024}`,
        usingMetrics: { [duration]: ofFunction(props.aliases[name], 'Duration', 'Sum', name) },
        period: FIVE_MINUTES,
        label: name,
      });
    }),
  ),
  graph(
    'Capacity units of tables',
    tableNames.map((name) =>
      ofTable(props, name, 'ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'),
    ),
  ),
  graph(
    'Bytes of logs',
    [
      ...names.map((name) => [name, props.logs.of[name]] as const),
      ['gateway', props.logs.access] as const,
    ].map(([label, { logGroupName: LogGroupName }]) =>
      awsMetric(
        'AWS/Logs',
        'IncomingBytes',
        { statistic: 'Sum', period: FIVE_MINUTES, label },
        { LogGroupName },
      ),
    ),
  ),
];

/** Metrics of log lines that a row above shows. */
const PLACED: ReadonlySet<string> = new Set([
  'ToolCalls',
  'TargetLatency',
  'GatewayThrottles',
] satisfies readonly LogMetricName[]);

/** Metrics of other log filters, a line for each combination of dimensions. */
const otherMetrics = ({ stage }: DashboardProps): readonly IWidget[] =>
  Object.entries<LogMetric>(LOG_METRICS)
    .filter(([name]) => !PLACED.has(name))
    .map(([name, { dimensions = {} }]) => {
      const schema = [metricsNamespace(stage), ...Object.keys(dimensions)].join(',');
      const expression = `SEARCH('{${schema}} MetricName=${name} ', 'Sum', 300)`;
      return graph(name, [new MathExpression({ expression, period: FIVE_MINUTES, label: '' })]);
    });
