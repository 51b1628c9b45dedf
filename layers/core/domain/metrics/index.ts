export { measuredIn } from './measured.ts';
export {
  type DimensionName,
  type MailOutcome,
  type Measured,
  type MetricDefinition,
  type MetricName,
  METRICS,
} from './metrics.ts';
export { routeKind, ROUTE_KINDS, type RouteKind } from './route-kind.ts';
