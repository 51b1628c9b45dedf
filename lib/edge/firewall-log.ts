import { Duration, Fn, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, type CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { administration } from '../data/keys.ts';
import { encryptLogs, logGroupArn } from '../monitoring/logs.ts';
import { uniqueName } from '../unique-name.ts';
import { ORIGIN_SECRET_HEADER } from './headers.ts';

export interface FirewallLogProps {
  readonly acl: CfnWebACL;
  readonly retention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/** Headers by which somebody shows who they are, to this service, to what stands before it, or by mistake. */
export const REDACTED_HEADERS = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-amz-security-token',
  'x-api-key',
  'mcp-session-id',
  ORIGIN_SECRET_HEADER.toLowerCase(),
  // The query of the page before.
  'referer',
] as const;

/** What a rule did that found the request: what no rule found is not logged. */
const LOGGED_ACTIONS = ['BLOCK', 'COUNT', 'EXCLUDED_AS_COUNT'];

/**
 * The log of the web ACL: requests that a rule has blocked or counted, without their query strings and without the
 * headers that show who somebody is. AWS WAF itself lets its log in by a policy of CloudWatch Logs; the name has to begin
 * as it does, and its key stands beside it, since the data key is of another region.
 *
 * Source: AWS WAF, "Sending web ACL traffic logs to a Amazon CloudWatch Logs log group".
 */
export class FirewallLog extends Construct {
  constructor(scope: Construct, id: string, { acl, retention, removalPolicy }: FirewallLogProps) {
    super(scope, id);
    const names = `aws-waf-logs-${uniqueName(this)}`;
    const encryptionKey = new Key(this, 'Key', {
      description: 'Hosted MCP: the log of the web ACL',
      enableKeyRotation: true,
      rotationPeriod: Duration.days(365),
      removalPolicy,
      policy: new PolicyDocument({
        // A pattern: a key waits for no log group.
        statements: [administration(), encryptLogs(this, [`${names}-*`])],
      }),
    });
    const group = new LogGroup(this, 'Group', {
      // A log that was turned off may have been kept; whoever turns it on again has another key.
      logGroupName: `${names}-${Fn.select(0, Fn.split('-', encryptionKey.keyId))}`,
      encryptionKey,
      retention,
      removalPolicy,
    });
    new CfnLoggingConfiguration(this, 'Configuration', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [logGroupArn(Stack.of(this), group.logGroupName)],
      redactedFields: [
        // As the API has them: the CDK leaves what is inside of a field as it is.
        { queryString: {} },
        ...REDACTED_HEADERS.map((name) => ({ singleHeader: { Name: name } })),
      ],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: LOGGED_ACTIONS.map((action) => ({ ActionCondition: { Action: action } })),
          },
        ],
      },
    });
  }
}
