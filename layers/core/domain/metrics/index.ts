export { measuredIn } from './measured.ts';
export { type MailOutcome, type Measured, type MetricName, METRICS } from './metrics.ts';
export { routeKind, ROUTE_KINDS } from './route-kind.ts';
