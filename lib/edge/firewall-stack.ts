import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { EDGE_REGION } from './setting.ts';

export interface FirewallStackProps extends StackProps {
  /** Of one address in five minutes; more are refused until they are fewer. */
  readonly requestsPerFiveMinutes: number;
}

/**
 * The web ACL of the distribution. It counts and blocks by address and looks into no request: the managed
 * rules refuse bodies of more than 8 KB and arguments that look like SQL or HTML, which those of tools do.
 * Nothing is logged or sampled, since that would be with all headers, tokens among them.
 *
 * Source: docs/edge.md, "The rate rule".
 */
export class FirewallStack extends Stack {
  /** The output that the distribution's stack reads. */
  static readonly output = 'WebAclArn';

  constructor(scope: Construct, id: string, props: FirewallStackProps) {
    super(scope, id, { ...props, env: { ...props.env, region: EDGE_REGION } });
    const acl = new CfnWebACL(this, 'WebAcl', {
      // Named as its metrics are: AWS's pages differ on which of the two names a metric has.
      name: this.stackName,
      scope: 'CLOUDFRONT',
      description: 'Hosted MCP: requests of one address',
      defaultAction: { allow: {} },
      visibilityConfig: visibleAs(this.stackName),
      customResponseBodies: {
        TooMany: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify({
            error: 'rate_limited',
            error_description: 'Too many requests from this address. Try again in five minutes.',
          }),
        },
      },
      rules: [
        {
          name: RATE_RULE,
          priority: 0,
          statement: {
            rateBasedStatement: {
              limit: props.requestsPerFiveMinutes,
              aggregateKeyType: 'IP',
              evaluationWindowSec: 300,
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'TooMany',
                responseHeaders: [{ name: 'retry-after', value: '300' }],
              },
            },
          },
          visibilityConfig: visibleAs(RATE_RULE),
        },
      ],
    });
    new CfnOutput(this, FirewallStack.output, {
      value: acl.attrArn,
      description: 'Web ACL of the distribution',
    });
  }
}

/** Its name, and that of its metrics. */
export const RATE_RULE = 'RequestsOfOneAddress';

const visibleAs = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
