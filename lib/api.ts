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
 * The HTTP API with its only stage, `$default`: `/v1` is part of every route and never a stage name,
 * since clients look for documents at the origin's root. Source: docs/decisions/mcp.md, "Base URL".
 */
export class Api extends Construct {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Where the DNS record of the stage's own domain points. */
  readonly domainTarget: string | undefined;
  readonly api: HttpApi;
  /** Where a distribution sends what it lets through. */
  readonly host: string;
  private readonly stage: HttpStage;
  private readonly settings: Stage;

  constructor(scope: Construct, id: string, { stage, accessLogs }: ApiProps) {
    super(scope, id);
    this.settings = stage;
    // At the edge a distribution has the domain, and sends all to the API's own name.
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

  /** Leads the manifest's routes to the functions, and gives each its throttle. */
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
    // Names routes, which the gateway wants to be there: a stage is made after them.
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
 * The header is none of those that mappings may not set. Whether the gateway renames it before or
 * after a mapping is not documented: `hosted-mcp doctor` tells what arrives.
 * Source: docs/decisions/oauth.md, "Challenges".
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
 * No query string and no header: neither a code nor a token gets into the access log. And no path: the gateway puts
 * values in as they are, and a quotation mark in a path would write members of its own, of which metrics are made.
 * The lines of functions have the route, and the slug. And no time, which CloudWatch Logs has of each line.
 */
export const ACCESS_LOG_LINE = {
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  /** 200 where a function was asked, whatever it answered; a hyphen where none was. */
  integrationStatus: '$context.integrationStatus',
  bytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
};
