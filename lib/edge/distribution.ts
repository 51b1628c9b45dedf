import { Duration, Fn, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  CachedMethods,
  Distribution as CloudFrontDistribution,
  Function as CloudFrontFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { EDGE_REGION } from './setting.ts';
import type { Stage } from '../stage/stage.ts';
import { FirewallStack } from './firewall-stack.ts';
import { ORIGIN_SECRET_HEADER, VIEWER_FUNCTION } from './headers.ts';

export interface DistributionProps {
  readonly domain: NonNullable<Stage['domain']>;
  readonly originHost: string;
  /** Secret that the functions check. */
  readonly originSecret: string;
  readonly firewallStack: string;
}

export const DISTRIBUTION_OUTPUT = 'DistributionId';

/** Public keys, and console files whose names change with their content. No other answer is cached. */
const KEPT_PATHS = ['/v1/mcp-oauth-server/.well-known/jwks.json', '/v1/console/assets/*'];

/** Error statuses that CloudFront caches for ten seconds by default. */
const FAILURES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** All that a client sends reaches the functions but `Host`, which becomes the API's own. Source: docs/edge.md. */
export class Distribution extends Construct {
  /** Target of the DNS record of the stage's domain. */
  readonly domainTarget: string;
  readonly distributionId: string;

  constructor(scope: Construct, id: string, props: DistributionProps) {
    super(scope, id);
    const { name, certificateArn } = props.domain;
    const behavior = this.behavior(props);
    const kept = { ...behavior, cachePolicy: this.asTheAnswerSays() };
    const { domainName, distributionId } = new CloudFrontDistribution(this, 'Distribution', {
      comment: `Hosted MCP at ${name}`.slice(0, 128),
      domainNames: [name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      webAclId: Fn.getStackOutput(props.firewallStack, FirewallStack.output, EDGE_REGION),
      defaultBehavior: { ...behavior, cachePolicy: CachePolicy.CACHING_DISABLED },
      additionalBehaviors: Object.fromEntries(KEPT_PATHS.map((path) => [path, kept])),
      errorResponses: FAILURES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    this.domainTarget = domainName;
    this.distributionId = distributionId;
  }

  private behavior({ originHost, originSecret }: DistributionProps): BehaviorOptions {
    return {
      origin: new HttpOrigin(originHost, {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
        // The timeout is longer than the API waits for a function, so that the API is the one that gives up.
        readTimeout: Duration.seconds(35),
        customHeaders: { [ORIGIN_SECRET_HEADER]: originSecret },
      }),
      // The API answers to its own host name only. A list of allowed headers could not pass `Authorization` or
      // `Mcp-Param-*`.
      originRequestPolicy: new OriginRequestPolicy(this, 'AllButHost', {
        originRequestPolicyName: `${Stack.of(this).stackName}-${Stack.of(this).region}-all-but-host`,
        headerBehavior: OriginRequestHeaderBehavior.denyList('host'),
        cookieBehavior: OriginRequestCookieBehavior.all(),
        queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachedMethods: CachedMethods.CACHE_GET_HEAD,
      // No redirect: a client would go on sending its token in clear.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      compress: false,
      functionAssociations: [
        { eventType: FunctionEventType.VIEWER_REQUEST, function: this.viewerFunction() },
      ],
    };
  }

  private viewerFunction(): CloudFrontFunction {
    return new CloudFrontFunction(this, 'Viewer', {
      comment: 'Hosted MCP: tells the origin the address of the client',
      code: FunctionCode.fromInline(VIEWER_FUNCTION),
      runtime: FunctionRuntime.JS_2_0,
    });
  }

  private asTheAnswerSays(): CachePolicy {
    return new CachePolicy(this, 'AsTheAnswerSays', {
      comment: 'Hosted MCP: as long as Cache-Control says, and not at all without it',
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.days(365),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }
}
