import type { Datum } from '../aws/cloudwatch.ts';

type State = 'OK' | 'ALARM';

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
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: readonly unknown[];
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly EvaluateLowSampleCountPercentile?: string;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly Period?: number;
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
  const { TreatMissingData: missing } = alarm;
  if (missing !== 'notBreaching' && missing !== 'breaching') throw new Error(missing);
  const isBreaching = pointsOf(alarm, data, untilMs, resolve).every((point) =>
    point === undefined ? missing === 'breaching' : breaches(alarm, point),
  );
  return isBreaching ? 'ALARM' : 'OK';
};

const breaches = ({ ComparisonOperator, Threshold }: AlarmProperties, point: number): boolean => {
  if (ComparisonOperator === 'GreaterThanOrEqualToThreshold') return point >= Threshold;
  if (ComparisonOperator === 'LessThanThreshold') return point < Threshold;
  throw new Error(ComparisonOperator);
};

/** Of fewer values than 10 / (1 - percentile), CloudWatch judges no percentile where an alarm says `ignore`. */
const isFew = (statistic: string, count: number): boolean => {
  const [, percent] = /^p(\d+)$/.exec(statistic) ?? [];
  return percent !== undefined && count < 10 / (1 - Number(percent) / 100);
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
      const ignored =
        alarm.EvaluateLowSampleCountPercentile === 'ignore' && isFew(statistic, values.length);
      return values.length === 0 || ignored ? undefined : statisticOf(statistic, values);
    };
    const { Metrics } = alarm;
    if (!Metrics) {
      const { Period = 0, Statistic, ExtendedStatistic } = alarm;
      return point(alarm as Identity, Statistic ?? ExtendedStatistic ?? '', Period);
    }
    const { Expression, Period: ofQuery = 0 } =
      Metrics.find((each) => each.ReturnData !== false) ?? {};
    const expression = joined(Expression ?? '', resolve);
    if (expression.startsWith('SELECT'))
      return queried(expression, data, untilMs - back * ofQuery * 1000, ofQuery);
    return calculated(expression, (id) => {
      const stat = Metrics.find(({ Id }) => Id === id)?.MetricStat;
      if (!stat) throw new Error(`no metric ${id}`);
      return point(stat.Metric, stat.Stat, stat.Period);
    });
  });

/** A text of the template, with what is known at deployment in it. */
const joined = (value: unknown, resolve: (value: unknown) => string): string => {
  const join = (value as { readonly 'Fn::Join'?: readonly [string, readonly unknown[]] })[
    'Fn::Join'
  ];
  if (!join) return resolve(value);
  return join[1].map((part) => (typeof part === 'string' ? part : resolve(part))).join(join[0]);
};

const QUERY = /^SELECT SUM\((\w+)\) FROM SCHEMA\("([\w/]+)", ([\w, ]+)\) WHERE (.+)$/;
const CONDITION = /^(\w+) = '([^']+)'$/;

/**
 * What a query finds in a period, over all metrics with exactly these dimensions.
 *
 * Source: Amazon CloudWatch User Guide, "Metrics Insights query components and syntax".
 */
const queried = (
  query: string,
  data: readonly Datum[],
  endMs: number,
  periodSeconds: number,
): number | undefined => {
  const [whole, metric, namespace, schema = '', where = ''] = QUERY.exec(query) ?? [];
  const conditions = where.split(' AND ').map((one) => CONDITION.exec(one));
  if (whole === undefined || conditions.includes(null)) throw new Error(query);
  const dimensions = schema.split(', ').toSorted().join();
  const found = data.filter(
    (datum) =>
      datum.namespace === namespace &&
      datum.name === metric &&
      Object.keys(datum.dimensions).toSorted().join() === dimensions &&
      conditions.every((one) => one && datum.dimensions[one[1] ?? ''] === one[2]) &&
      datum.atMs > endMs - periodSeconds * 1000 &&
      datum.atMs <= endMs,
  );
  return found.length === 0 ? undefined : found.reduce((sum, one) => sum + one.value, 0);
};

/**
 * What metric math makes of the metrics of a period: `+`, `-`, `*`, `/`, `>=`, `IF` and `FILL`. A value that is not
 * there makes what is calculated of it one that is not there either, and so does a division by nothing.
 *
 * Source: Amazon CloudWatch User Guide, "Using math expressions with CloudWatch metrics".
 */
const calculated = (
  expression: string,
  of: (id: string) => number | undefined,
): number | undefined => {
  const tokens = expression.match(/\d+|[A-Za-z]\w*|>=|[-+*/(),]/g) ?? [];
  if (tokens.join('') !== expression.replaceAll(' ', '')) throw new Error(expression);
  let at = 0;
  const take = (wanted?: string): string => {
    const token = tokens[at++] ?? '';
    if (wanted !== undefined && token !== wanted) throw new Error(`${expression}: no ${wanted}`);
    return token;
  };
  const leftToRight =
    (operand: () => number | undefined, ...operators: readonly (keyof typeof OPERATORS)[]) =>
    (): number | undefined => {
      let value = operand();
      for (let sign = tokens[at]; operators.some((one) => one === sign); sign = tokens[at]) {
        const operator = OPERATORS[take() as keyof typeof OPERATORS];
        const other = operand();
        value = value === undefined || other === undefined ? undefined : operator(value, other);
      }
      return value;
    };
  const single = (): number | undefined => {
    const token = take();
    if (/^\d/.test(token)) return Number(token);
    if (token !== '(' && tokens[at] !== '(') return of(token);
    if (token !== '(') take('(');
    const values = [whole()];
    while (tokens[at] === ',') {
      take(',');
      values.push(whole());
    }
    take(')');
    const [first, second, third] = values;
    if (token === 'FILL') return first ?? second;
    if (token === 'IF') return first === undefined ? undefined : first > 0 ? second : third;
    if (token !== '(') throw new Error(`${expression}: ${token}`);
    return first;
  };
  const product = leftToRight(single, '*', '/');
  const sum = leftToRight(product, '+', '-');
  const whole: () => number | undefined = leftToRight(sum, '>=');
  const value = whole();
  if (at < tokens.length) throw new Error(expression);
  return value;
};

const OPERATORS = {
  '+': (one: number, other: number) => one + other,
  '-': (one: number, other: number) => one - other,
  '*': (one: number, other: number) => one * other,
  '/': (one: number, other: number) => (other === 0 ? undefined : one / other),
  '>=': (one: number, other: number) => Number(one >= other),
} as const;

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
  if (statistic === 'SampleCount') return values.length;
  if (statistic === 'Average') return sum / values.length;
  if (statistic === 'Maximum') return Math.max(...values);
  const [, percent] = /^p(\d+)$/.exec(statistic) ?? [];
  if (percent === undefined) throw new Error(statistic);
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil((Number(percent) / 100) * sorted.length) - 1] ?? NaN;
};
