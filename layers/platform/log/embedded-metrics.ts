import { type Measured, type MetricName, METRICS } from '../rules/metrics/metrics.ts';
import { measuredIn } from '../rules/metrics/measured.ts';

/** Members that turn a log line into metrics; undefined for lines that measure nothing. */
export type LineMetrics = (
  record: Readonly<Record<string, unknown>>,
  timeMs: number,
) => Readonly<Record<string, unknown>> | undefined;

/**
 * Metrics in the embedded metric format: CloudWatch extracts them from log lines, so that functions need neither a
 * permission nor a request for them.
 * Source: Amazon CloudWatch User Guide, "Specification: Embedded metric format".
 */
export const embeddedMetrics =
  (namespace: string): LineMetrics =>
  (record, timeMs) => {
    const measured = measuredIn(record);
    if (measured.length === 0) return undefined;
    return {
      _aws: {
        Timestamp: timeMs,
        CloudWatchMetrics: measured.map((each) => directiveOf(namespace, each)),
      },
      ...Object.assign({}, ...measured.flatMap(({ dimensions, values }) => [dimensions, values])),
    };
  };

const directiveOf = (namespace: string, { dimensions, values }: Measured) => ({
  Namespace: namespace,
  Dimensions: [Object.keys(dimensions)],
  Metrics: (Object.keys(values) as MetricName[]).map((Name) => ({
    Name,
    Unit: METRICS[Name].unit,
  })),
});
