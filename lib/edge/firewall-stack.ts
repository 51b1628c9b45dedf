import { CfnOutput, type RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { FirewallLog } from './firewall-log.ts';
import {
  MANAGED_GROUP_NAMES,
  MANAGED_GROUPS,
  type ManagedAction,
  type ManagedGroupName,
} from './managed-rules.ts';
import { type Edge, EDGE_REGION } from './setting.ts';

export interface FirewallStackProps extends StackProps {
  readonly edge: Pick<Edge, 'requestsPerFiveMinutes' | 'managedRules' | 'firewallLog'>;
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The web ACL blocks by address only, without samples, which would have tokens. Source: docs/edge.md, "The rate
 * rule".
 */
export class FirewallStack extends Stack {
  static readonly output = 'WebAclArn';

  constructor(scope: Construct, id: string, props: FirewallStackProps) {
    super(scope, id, { ...props, env: { ...props.env, region: EDGE_REGION } });
    const { requestsPerFiveMinutes, managedRules, firewallLog } = props.edge;
    const acl = new CfnWebACL(this, 'WebAcl', {
      // The name is that of the metrics: AWS's pages differ on which of the two names a metric has.
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
              limit: requestsPerFiveMinutes,
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
        ...MANAGED_GROUP_NAMES.flatMap((name, index) => {
          const action = managedRules[name];
          return action === undefined ? [] : [managedRule(name, action, index + 1)];
        }),
      ],
    });
    if (firewallLog) {
      const { logRetention: retention, removalPolicy } = props;
      new FirewallLog(this, 'Log', { acl, retention, removalPolicy });
    }
    new CfnOutput(this, FirewallStack.output, {
      value: acl.attrArn,
      description: 'Web ACL of the distribution',
    });
  }
}

export const RATE_RULE = 'RequestsOfOneAddress';

/** An AWS managed rule group, whose metrics have its name. */
const managedRule = (
  name: ManagedGroupName,
  action: ManagedAction,
  priority: number,
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ...overridden(MANAGED_GROUPS[name].counting),
    },
  },
  overrideAction: action === 'block' ? { none: {} } : { count: {} },
  visibilityConfig: visibleAs(name),
});

/** AWS WAF takes no empty list. Source: AWS WAF API, "ManagedRuleGroupStatement". */
const overridden = (counting: readonly string[]) =>
  counting.length === 0
    ? {}
    : { ruleActionOverrides: counting.map((name) => ({ name, actionToUse: { count: {} } })) };

const visibleAs = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
