import {
  CREDENTIAL_OUTCOMES,
  MAIL_OUTCOMES,
  METRICS,
  NEIGHBOURS,
} from '../../layers/platform/rules/metrics/metrics.ts';
import { CALL_OUTCOMES } from '../../layers/events/rules/call-outcome.ts';
import { functions } from '../../lambdas/manifest.ts';
import { PROTOCOL_VERSIONS } from '../../layers/platform/rules/protocol-versions.ts';
import { ROUTE_KINDS } from '../../layers/platform/rules/metrics/route-kind.ts';
import type { File } from '../../test/support/stacks/options.ts';
import {
  deployedWith,
  type Synthesized,
  synthesized,
} from '../../test/support/stacks/synthesized.ts';
import { type Charged, OPTION_COSTS, type OptionCost } from './options.ts';
import type { Recording } from './recording.ts';

/** What of the stacks of a stage is charged for by the month, whether or not anybody calls. */
export const chargedIn = ({ data, service, firewall, edgeAlarms }: Synthesized): Charged => {
  const resources = [data, service, firewall, edgeAlarms].flatMap((template) =>
    Object.values((template?.toJSON()['Resources'] ?? {}) as Readonly<Record<string, Resource>>),
  );
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const sum = (type: string, of: (properties: Properties) => number) =>
    sumOf(ofType(type).map(({ Properties = {} }) => of(Properties)));
  return {
    keyMonth: ofType('AWS::KMS::Key').length,
    alarmMonth: sum('AWS::CloudWatch::Alarm', metricsIn),
    metricMonth: ownMetrics(service),
    dashboardMonth: ofType('AWS::CloudWatch::Dashboard').length,
    secretMonth: ofType('AWS::SecretsManager::Secret').length,
    aclMonth: ofType('AWS::WAFv2::WebACL').length,
    aclRuleMonth: sum('AWS::WAFv2::WebACL', ({ Rules = [] }) => Rules.length),
  };
};

/** What each option changes of it; nothing of those that do not say what is counted. */
export const chargedByOption = (): Recording['options'] =>
  Object.fromEntries(
    Object.entries<OptionCost>(OPTION_COSTS).flatMap(([name, { counted }]) => {
      if (!counted) return [];
      const of = (file: Partial<File>) => chargedIn(synthesized({}, deployedWith(file)));
      return [[name, difference(of(counted.file), of(counted.than ?? {}))]];
    }),
  );

const difference = (one: Charged, other: Charged): Charged =>
  Object.fromEntries(
    (Object.keys(one) as (keyof Charged)[])
      .map((name) => [name, (one[name] ?? 0) - (other[name] ?? 0)] as const)
      .filter(([, more]) => more !== 0),
  );

type Metric = { readonly MetricStat?: object; readonly Expression?: unknown };
type Properties = { readonly Metrics?: readonly Metric[]; readonly Rules?: readonly object[] };

type Resource = { readonly Type: string; readonly Properties?: Properties };

const GROUPS = Object.values(functions).filter(({ logsEvents }) => logsEvents).length;

/** An expression is charged by the metrics in it, and a query by those that it finds: one for each log group with the filter. */
const metricsIn = ({ Metrics }: Properties): number => (Metrics ? sumOf(Metrics.map(countOf)) : 1);

const countOf = ({ MetricStat, Expression }: Metric): number =>
  MetricStat ? 1 : String(Expression).startsWith('SELECT') ? GROUPS : 0;

/** How many values dimensions have: of metrics in lines, and of those of filters. */
const VALUES = {
  Route: ROUTE_KINDS.length,
  Neighbour: NEIGHBOURS.length,
  Outcome: Math.max(CREDENTIAL_OUTCOMES.length, MAIL_OUTCOMES.length),
};
const FILTERED: Readonly<Record<string, number>> = {
  Outcome: CALL_OUTCOMES.length,
  Version: PROTOCOL_VERSIONS.length,
};

/** Each combination of a name and values of its dimensions is a metric. */
const ownMetrics = (service: Synthesized['service']): number => {
  // Functions that are told of no namespace write no metrics into their lines.
  const isMeasured = Object.values(service.findResources('AWS::Lambda::Function')).some(
    ({ Properties }) => 'METRICS_NAMESPACE' in (Properties.Environment?.Variables ?? {}),
  );
  const ofLines = Object.values(isMeasured ? METRICS : {}).map(({ dimensions }) =>
    productOf(dimensions.map((name) => VALUES[name])),
  );
  const ofFilters = new Map<string, number>();
  for (const { Properties } of Object.values(service.findResources('AWS::Logs::MetricFilter'))) {
    const [{ MetricName, Dimensions = [] }] = Properties.MetricTransformations;
    const names = (Dimensions as readonly { readonly Key: string }[]).map(({ Key }) => Key);
    ofFilters.set(MetricName, productOf(names.map((name) => FILTERED[name] ?? 1)));
  }
  return sumOf([...ofLines, ...ofFilters.values()]);
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const productOf = (numbers: readonly number[]): number =>
  numbers.reduce((product, one) => product * one, 1);
