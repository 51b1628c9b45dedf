import { Stack } from 'aws-cdk-lib';
import {
  ApiMapping,
  CfnIntegration,
  type CfnStage,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Alias, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import type { Stage } from './stage/stage.ts';

export interface ApiProps {
  readonly stage: Stage;
  readonly accessLogs: LogGroup;
}

/**
 * The only stage is `$default`, since clients look for documents at the root. Source: docs/decisions/mcp.md, "Base
 * URL".
 */
export class Api extends Construct {
  /** The base URL ends in `/v1`. */
  readonly baseUrl: string;
  /** Target of the DNS record of the stage's own domain. */
  readonly domainTarget: string | undefined;
  readonly api: HttpApi;
  readonly host: string;
  private readonly stage: HttpStage;
  private readonly settings: Stage;

  constructor(scope: Construct, id: string, { stage, accessLogs }: ApiProps) {
    super(scope, id);
    this.settings = stage;
    // At the edge the distribution has the domain, and sends requests to the API's own name.
    const ownDomain = stage.edge ? undefined : stage.domain;
    this.api = new HttpApi(this, 'Http', {
      apiName: `HostedMcp-${stage.name}`,
      description: 'Hosted MCP',
      createDefaultStage: false,
      disableExecuteApiEndpoint: ownDomain !== undefined,
    });
    const { region, urlSuffix } = Stack.of(this);
    this.host = `${this.api.apiId}.execute-api.${region}.${urlSuffix}`;
    this.stage = new HttpStage(this, 'Default', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: stage.requestsPerSecond, burstLimit: stage.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_LINE)),
      },
    });

    if (ownDomain) {
      const domainName = new DomainName(this, 'Domain', {
        domainName: ownDomain.name,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', ownDomain.certificateArn),
      });
      new ApiMapping(this, 'Mapping', { api: this.api, domainName, stage: this.stage });
      this.domainTarget = domainName.regionalDomainName;
    }
    this.baseUrl = `${stage.domain ? `https://${stage.domain.name}` : this.api.apiEndpoint}/v1`;
  }

  route(aliases: Readonly<Record<FunctionName, Alias>>): void {
    const { requestsPerSecond, burst } = this.settings;
    const throttles: Record<string, object> = {};
    for (const name of Object.keys(functions) as FunctionName[]) {
      const { routes, throttle = { requestsPerSecond, burst } } = functions[name];
      if (routes.length === 0) continue;
      const integration = new HttpLambdaIntegration(
        `${name}Integration`,
        aliases[name] as IFunction,
      );
      for (const route of routes) {
        this.stage.node.addDependency(this.addRoute(route, integration));
        throttles[route] = {
          ThrottlingRateLimit: throttle.requestsPerSecond,
          ThrottlingBurstLimit: throttle.burst,
        };
      }
    }
    // The gateway refuses settings of routes that do not exist yet, so the stage is made after its routes.
    (this.stage.node.defaultChild as CfnStage).routeSettings = throttles;
    if (this.settings.challengeMapping) {
      for (const each of this.node.findAll()) {
        if (each instanceof CfnIntegration) each.responseParameters = CHALLENGE_MAPPING;
      }
    }
  }

  private addRoute(route: string, integration: HttpLambdaIntegration): HttpRoute {
    const [method, path] = route.split(' ');
    if (path === undefined) {
      const routeKey = HttpRouteKey.DEFAULT;
      return new HttpRoute(this, 'Unknown', { httpApi: this.api, routeKey, integration });
    }
    const methods = [HttpMethod[method as keyof typeof HttpMethod]];
    const [added] = this.api.addRoutes({ path, methods, integration });
    return added as HttpRoute;
  }
}

/**
 * API Gateway renames WWW-Authenticate of functions; AWS lets a mapping set it. Whether the gateway renames before or
 * after a mapping is not documented: `hosted-mcp doctor` shows what arrives. Source: docs/decisions/oauth.md,
 * "Challenges".
 */
const CHALLENGE_MAPPING = Object.fromEntries(
  ['401', '403'].map((status) => [
    status,
    {
      ResponseParameters: [
        {
          Destination: 'overwrite:header.WWW-Authenticate',
          Source: '$response.header.X-Mcp-Challenge',
        },
      ],
    },
  ]),
);

/**
 * Fields of the access log. No query string and no header, which may have codes or tokens. No path: the gateway does
 * not escape values, so a quotation mark in a path could add members, of which metrics are made; the functions' lines
 * have route and slug. No time, which CloudWatch Logs adds.
 */
export const ACCESS_LOG_LINE = {
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  /** Status 200 where a function was invoked, whatever it answered; otherwise a hyphen. */
  integrationStatus: '$context.integrationStatus',
  bytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
};
