import type { Datum } from '../aws/cloudwatch.ts';
import { stage } from '../stacks/alarms.ts';

/** How the gateway has answered a request. */
export interface GatewayAnswer {
  readonly route: string;
  readonly status: number;
  /** Whether a function was asked. */
  readonly isAnsweredByFunction: boolean;
}

/** What API Gateway measures of a request to an HTTP API. Source: API Gateway Developer Guide, "Monitor HTTP APIs". */
export const gatewayMetrics = ({ status }: GatewayAnswer, atMs: number): readonly Datum[] =>
  [
    ['Count', true] as const,
    ['4xx', status >= 400 && status < 500] as const,
    ['5xx', status >= 500] as const,
  ].map(([name, counts]) => ({
    namespace: 'AWS/ApiGateway',
    name,
    dimensions: { ApiId: 'ApiHttp' },
    value: Number(counts),
    atMs,
  }));

/** The line of the access log, as the template has it written. */
export const accessLogLine = ({ route, status, isAnsweredByFunction }: GatewayAnswer): string => {
  const [gateway] = Object.values(stage().service.findResources('AWS::ApiGatewayV2::Stage'));
  const values: Readonly<Record<string, string>> = {
    routeKey: route,
    status: `${status}`,
    integrationStatus: isAnsweredByFunction ? '200' : '-',
  };
  const format: string = gateway?.['Properties'].AccessLogSettings.Format;
  return format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => values[name] ?? '-');
};
