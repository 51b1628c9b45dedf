import { GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { TableName } from '../../lambdas/storage-manifest.ts';
import type { MetricName } from '../../layers/platform/rules/metrics/metrics.ts';
import type { Data } from '../data/data.ts';
import type { Logs } from './logs.ts';
import type { Stage } from '../stage/stage.ts';
import type { LogMetricName } from './log-metrics.ts';
import { awsMetric, FIVE_MINUTES, ownMetric, type Statistic, sumOf } from './metrics.ts';

export interface DashboardProps {
  readonly stage: Pick<Stage, 'name'>;
  readonly api: HttpApi;
  readonly aliases: Readonly<Record<FunctionName, Alias>>;
  readonly tables: Data['tables'];
  readonly logs: Logs;
  readonly queues: Readonly<Record<string, Queue>>;
}

/** Width of a third of a row. */
export const WIDTH = 8;
export const HEIGHT = 6;

/** A metric of ours, or one line for each value of its dimension. */
export const own = (
  { stage }: DashboardProps,
  name: MetricName | LogMetricName,
  statistic: Statistic,
  [dimension, values]: readonly [string, readonly string[]] = ['', []],
): readonly IMetric[] =>
  dimension === ''
    ? [ownMetric(stage, name, { statistic, period: FIVE_MINUTES, label: name })]
    : values.map((value) =>
        ownMetric(
          stage,
          name,
          { statistic, period: FIVE_MINUTES, label: value },
          { [dimension]: value },
        ),
      );

export const ofFunction = (alias: Alias, metric: string, statistic: Statistic, label: string) =>
  awsMetric(
    'AWS/Lambda',
    metric,
    { statistic, period: FIVE_MINUTES, label },
    { FunctionName: alias.lambda.functionName },
  );

export const ofTable = (
  { tables: stored }: DashboardProps,
  name: TableName,
  ...[read, write]: readonly [string, string]
): IMetric => {
  const metric = (metricName: string) =>
    awsMetric(
      'AWS/DynamoDB',
      metricName,
      { statistic: 'Sum', period: FIVE_MINUTES },
      { TableName: stored[name].tableName },
    );
  return sumOf([metric(read), metric(write)], FIVE_MINUTES, name);
};

export const graph = (title: string, left: readonly IMetric[]): GraphWidget =>
  new GraphWidget({ title, left: [...left], width: WIDTH, height: HEIGHT });
