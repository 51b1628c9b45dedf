import type { Datum } from './cloudwatch.ts';

type State = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

interface Identity {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}
interface Statistics {
  readonly Period: number;
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
}

/** An alarm's properties in the template. */
export interface AlarmProperties extends Partial<Identity & Statistics> {
  readonly AlarmDescription: string;
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly ReturnData?: boolean;
    readonly MetricStat?: {
      readonly Metric: Identity;
      readonly Period: number;
      readonly Stat: string;
    };
  }[];
}

/**
 * The state of an alarm after what was measured up to a moment.
 *
 * @param resolve - what a value of a dimension is that the template leaves to CloudFormation
 */
export const stateOf = (
  alarm: AlarmProperties,
  data: readonly Datum[],
  untilMs: number,
  resolve: (value: unknown) => string,
): State => {
  const points = pointsOf(alarm, data, untilMs, resolve);
  const { TreatMissingData: missing } = alarm;
  if (missing !== 'notBreaching' && missing !== 'missing') throw new Error(missing);
  if (missing === 'missing' && points.every((point) => point === undefined)) {
    return 'INSUFFICIENT_DATA';
  }
  const breaching = points.map((point) => point !== undefined && breaches(alarm, point));
  // Of those that are there, for an alarm that leaves missing ones out.
  return breaching.every(
    (breach, at) => breach || (missing === 'missing' && points[at] === undefined),
  )
    ? 'ALARM'
    : 'OK';
};

const breaches = ({ ComparisonOperator, Threshold }: AlarmProperties, point: number): boolean => {
  if (ComparisonOperator === 'GreaterThanOrEqualToThreshold') return point >= Threshold;
  if (ComparisonOperator === 'LessThanThreshold') return point < Threshold;
  throw new Error(ComparisonOperator);
};

/** One for each of the periods that count, the newest first. */
const pointsOf = (
  alarm: AlarmProperties,
  data: readonly Datum[],
  untilMs: number,
  resolve: (value: unknown) => string,
): readonly (number | undefined)[] =>
  Array.from({ length: alarm.EvaluationPeriods }, (_, back) => {
    const point = (identity: Identity, statistic: string, period: number) => {
      const end = untilMs - back * period * 1000;
      const values = data
        .filter((datum) => isOf(datum, identity, resolve))
        .filter(({ atMs }) => atMs > end - period * 1000 && atMs <= end)
        .map(({ value }) => value);
      return values.length === 0 ? undefined : statisticOf(statistic, values);
    };
    const { Metrics } = alarm;
    if (!Metrics) {
      const { Period = 0, Statistic, ExtendedStatistic } = alarm;
      return point(alarm as Identity, Statistic ?? ExtendedStatistic ?? '', Period);
    }
    const of = (id: string) => {
      const stat = Metrics.find(({ Id }) => Id === id)?.MetricStat;
      if (!stat) throw new Error(`no metric ${id}`);
      return point(stat.Metric, stat.Stat, stat.Period);
    };
    const expression = Metrics.find((each) => each.ReturnData !== false)?.Expression ?? '';
    const [, one, other] = /^FILL\((\w+), 0\) \+ FILL\((\w+), 0\)$/.exec(expression) ?? [];
    if (one === undefined || other === undefined) throw new Error(expression);
    return (of(one) ?? 0) + (of(other) ?? 0);
  });

const isOf = (
  datum: Datum,
  { Namespace, MetricName, Dimensions = [] }: Identity,
  resolve: (value: unknown) => string,
): boolean =>
  datum.namespace === Namespace &&
  datum.name === MetricName &&
  // All of them, and no others: each set of dimensions is a metric of its own.
  Object.keys(datum.dimensions).length === Dimensions.length &&
  Dimensions.every(({ Name, Value }) => datum.dimensions[Name] === resolve(Value));

const statisticOf = (statistic: string, values: readonly number[]): number => {
  const sum = values.reduce((total, value) => total + value, 0);
  if (statistic === 'Sum') return sum;
  if (statistic === 'Average') return sum / values.length;
  if (statistic === 'Maximum') return Math.max(...values);
  const [, percent] = /^p(\d+)$/.exec(statistic) ?? [];
  if (percent === undefined) throw new Error(statistic);
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil((Number(percent) / 100) * sorted.length) - 1] ?? NaN;
};
