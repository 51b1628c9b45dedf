import { CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { Alarms } from '../monitoring/alarms.ts';
import { awsMetric, FIVE_MINUTES } from '../monitoring/metrics.ts';
import type { Stage } from '../stage/stage.ts';
import { DISTRIBUTION_OUTPUT } from './distribution.ts';
import { RATE_RULE } from './firewall-stack.ts';
import { EDGE_REGION } from './setting.ts';

export interface EdgeAlarmsStackProps extends StackProps {
  readonly stage: Pick<Stage, 'region' | 'alarmTopicArn' | 'noticeTopicArn'>;
  readonly serviceStack: string;
  readonly webAcl: string;
}

/**
 * CloudFront and its firewall have metrics only in us-east-1. The web ACL's stack cannot have their alarms, since it
 * is made before the distribution. Source: docs/edge.md, "Three stacks for it".
 */
export class EdgeAlarmsStack extends Stack {
  constructor(scope: Construct, id: string, props: EdgeAlarmsStackProps) {
    super(scope, id, { ...props, env: { ...props.env, region: EDGE_REGION } });
    const { stage, serviceStack, webAcl } = props;
    const isHere = stage.region === EDGE_REGION;
    const alarms = new Alarms(this, 'Alarms', {
      topic: isHere ? stage.alarmTopicArn : undefined,
      noticeTopic: isHere ? stage.noticeTopicArn : undefined,
    });
    const ofDistribution = (name: '5xxErrorRate' | 'Requests', statistic: 'Average' | 'Sum') =>
      awsMetric(
        'AWS/CloudFront',
        name,
        { statistic, period: FIVE_MINUTES },
        {
          DistributionId: Fn.getStackOutput(serviceStack, DISTRIBUTION_OUTPUT, stage.region),
          Region: 'Global',
        },
      );
    alarms.whenHigh('DistributionErrors', {
      severity: 'page',
      what: 'one in twenty answers of the distribution is 500 or more',
      runbook: 'Errors of the distribution',
      metric: new MathExpression({
        // The rate is a percentage, and counts from three failures on, as at the gateway.
        expression: 'IF(FILL(requests, 0) * FILL(rate, 0) >= 300, FILL(rate, 0), 0)',
        usingMetrics: {
          requests: ofDistribution('Requests', 'Sum'),
          rate: ofDistribution('5xxErrorRate', 'Average'),
        },
        period: FIVE_MINUTES,
        label: 'Percent',
      }),
      threshold: 5,
      periods: 2,
    });
    alarms.whenHigh('FloodingAddress', {
      severity: 'notice',
      what: 'the firewall refuses a thousand requests of single addresses in five minutes',
      runbook: 'A flood at the edge',
      metric: awsMetric(
        'AWS/WAFV2',
        'BlockedRequests',
        { statistic: 'Sum', period: FIVE_MINUTES },
        { WebACL: webAcl, Rule: RATE_RULE },
      ),
      threshold: 1000,
    });
    new CfnOutput(this, 'AlarmTopic', {
      value: alarms.topics.page.topicArn,
      description: 'Subscribe to this topic, too, to hear of alarms of the edge',
    });
  }
}
