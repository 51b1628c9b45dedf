import {
  CREDENTIAL_OUTCOMES,
  MAIL_OUTCOMES,
  METRICS,
  NEIGHBOURS,
} from '../../layers/platform/rules/metrics/metrics.ts';
import { CALL_OUTCOMES } from '../../layers/activity/rules/call-record.ts';
import { PROTOCOL_VERSIONS } from '../../layers/platform/rules/protocol-versions.ts';
import { ROUTE_KINDS } from '../../layers/platform/rules/metrics/route-kind.ts';
import type { Synthesized } from '../../test/support/stacks/synthesized.ts';
import type { Recording } from './document.ts';

/** What of a stage is charged for each month, by its templates. */
export const stageCounts = ({ data, service }: Synthesized): Recording['stage'] => {
  const alarms = Object.values(service.findResources('AWS::CloudWatch::Alarm'));
  return {
    alarmMetrics: alarms.reduce((sum, { Properties }) => sum + metricsIn(Properties), 0),
    ownMetrics: ownMetrics(service),
    keys: Object.keys(data.findResources('AWS::KMS::Key')).length,
  };
};

/** An expression is charged by the metrics in it. */
const metricsIn = ({ Metrics }: { readonly Metrics?: readonly object[] }): number =>
  Metrics ? Metrics.filter((each) => 'MetricStat' in each).length : 1;

/** Each combination of a name and values of its dimensions is a metric. */
const ownMetrics = (service: Synthesized['service']): number => {
  const values = {
    Route: ROUTE_KINDS.length,
    Neighbour: NEIGHBOURS.length,
    Outcome: Math.max(CREDENTIAL_OUTCOMES.length, MAIL_OUTCOMES.length),
  };
  const ofLines = Object.values(METRICS).map(({ dimensions }) =>
    dimensions.reduce((product, name) => product * values[name], 1),
  );
  const filters = Object.values(service.findResources('AWS::Logs::MetricFilter'));
  const ofNames = new Map(
    filters.map(({ Properties }) => {
      const [{ MetricName, Dimensions = [] }] = Properties.MetricTransformations as [
        Transformation,
      ];
      const each = Dimensions.map(({ Key }) => FILTERED[Key] ?? 1);
      return [MetricName, each.reduce((product, count) => product * count, 1)] as const;
    }),
  );
  const ofFilters = [...ofNames.values()];
  return [...ofLines, ...ofFilters].reduce((sum, count) => sum + count, 0);
};

interface Transformation {
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Key: string }[];
}

/** How many values the dimensions of filters have. */
const FILTERED: Readonly<Record<string, number>> = {
  Outcome: CALL_OUTCOMES.length,
  Version: PROTOCOL_VERSIONS.length,
};
