import { Fn, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, type CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { encryptionKey } from '../data/keys.ts';
import { encryptLogs, logGroupArn } from '../monitoring/logs.ts';
import { uniqueName } from '../unique-name.ts';
import { ORIGIN_SECRET_HEADER } from './headers.ts';

export interface FirewallLogProps {
  readonly acl: CfnWebACL;
  readonly retention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/** Headers with credentials for this service, for what stands before it, or sent by mistake. */
export const REDACTED_HEADERS = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-amz-security-token',
  'x-api-key',
  'mcp-session-id',
  ORIGIN_SECRET_HEADER.toLowerCase(),
  // The referrer may have the query string of the page before.
  'referer',
] as const;

/** Actions of rules that matched a request; other requests are not logged. */
const LOGGED_ACTIONS = ['BLOCK', 'COUNT', 'EXCLUDED_AS_COUNT'];

/**
 * The log has blocked and counted requests, without query strings and credential headers. AWS WAF requires its name
 * to begin with `aws-waf-logs-`; its key is another, since the data key is in another region. Source: AWS WAF,
 * "Sending web ACL traffic logs to a Amazon CloudWatch Logs log group".
 */
export class FirewallLog extends Construct {
  constructor(scope: Construct, id: string, { acl, retention, removalPolicy }: FirewallLogProps) {
    super(scope, id);
    const names = `aws-waf-logs-${uniqueName(this)}`;
    const key = encryptionKey(this, 'Key', removalPolicy, 'the log of the web ACL', [
      // The key is made before its log group, so its policy has a pattern.
      encryptLogs(this, [`${names}-*`]),
    ]);
    const group = new LogGroup(this, 'Group', {
      // The key's id makes the name new: a log that was turned off may have been retained under its former name.
      logGroupName: `${names}-${Fn.select(0, Fn.split('-', key.keyId))}`,
      encryptionKey: key,
      retention,
      removalPolicy,
    });
    new CfnLoggingConfiguration(this, 'Configuration', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [logGroupArn(Stack.of(this), group.logGroupName)],
      redactedFields: [
        // Nested members have the API's spelling, which the CDK does not convert.
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
