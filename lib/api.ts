import { Stack } from 'aws-cdk-lib';
import {
  ApiMapping,
  CfnIntegration,
  DomainName,
  HttpApi,
  HttpMethod,
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
 * since clients look for documents at the origin's root. Source: docs/decisions.md, "Base URL".
 */
export class Api extends Construct {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Where the DNS record of the stage's own domain points. */
  readonly domainTarget: string | undefined;
  readonly api: HttpApi;
  /** Where a distribution sends what it lets through. */
  readonly host: string;
  private readonly mapsChallenges: boolean;

  constructor(scope: Construct, id: string, { stage, accessLogs }: ApiProps) {
    super(scope, id);
    this.mapsChallenges = stage.challengeMapping;
    // At the edge a distribution has the domain, and sends all to the API's own name.
    const ownDomain = stage.edge ? undefined : stage.domain;
    this.api = new HttpApi(this, 'Http', {
      description: 'Hosted MCP',
      createDefaultStage: false,
      disableExecuteApiEndpoint: ownDomain !== undefined,
    });
    const { region, urlSuffix } = Stack.of(this);
    this.host = `${this.api.apiId}.execute-api.${region}.${urlSuffix}`;
    const defaultStage = new HttpStage(this, 'Default', {
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
      new ApiMapping(this, 'Mapping', { api: this.api, domainName, stage: defaultStage });
      this.domainTarget = domainName.regionalDomainName;
    }
    this.baseUrl = `${stage.domain ? `https://${stage.domain.name}` : this.api.apiEndpoint}/v1`;
  }

  /** Leads the manifest's routes to the functions. */
  route(aliases: Readonly<Record<FunctionName, Alias>>): void {
    for (const name of Object.keys(functions) as FunctionName[]) {
      if (functions[name].routes.length === 0) continue;
      const integration = new HttpLambdaIntegration(
        `${name}Integration`,
        aliases[name] as IFunction,
      );
      for (const route of functions[name].routes) {
        const [method, path = ''] = route.split(' ');
        this.api.addRoutes({
          path,
          methods: [HttpMethod[method as keyof typeof HttpMethod]],
          integration,
        });
      }
    }
    if (this.mapsChallenges) {
      for (const each of this.node.findAll()) {
        if (each instanceof CfnIntegration) each.responseParameters = CHALLENGE_MAPPING;
      }
    }
  }
}

/**
 * The header is none of those that mappings may not set. Whether the gateway renames it before or
 * after a mapping is not documented: `hosted-mcp doctor` tells what arrives.
 * Source: docs/decisions.md, "Challenges".
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

/** No query string and no header: neither a code nor a token gets into the access log. */
const ACCESS_LOG_LINE = {
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  path: '$context.path',
  status: '$context.status',
  bytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
};
