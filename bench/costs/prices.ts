/**
 * List prices in US dollars, without free tiers and discounts, of the first step of those that fall with
 * quantity. Source: the price pages of the services, and what others have written down from them, since the
 * pages show their numbers only to browsers. Look again before you sign for it.
 */
export const PRICES = {
  region: 'us-east-1',
  asOf: '2026-11-22',
  /** Dollars for so many. */
  list: {
    gatewayRequest: { dollars: 1.0, per: 1e6, of: 'requests to an HTTP API', page: 'API Gateway' },
    invocation: { dollars: 0.2, per: 1e6, of: 'invocations of functions', page: 'Lambda' },
    gbSecond: {
      dollars: 13.3334,
      per: 1e6,
      of: 'GB-seconds of functions on arm64',
      page: 'Lambda',
    },
    provisionedGbSecond: {
      dollars: 3.3334,
      per: 1e6,
      of: 'GB-seconds of provisioned concurrency on arm64',
      page: 'Lambda',
    },
    provisionedDurationGbSecond: {
      dollars: 7.7778,
      per: 1e6,
      of: 'GB-seconds of functions that run in it',
      page: 'Lambda',
    },
    readUnit: { dollars: 0.125, per: 1e6, of: 'read request units, on demand', page: 'DynamoDB' },
    writeUnit: { dollars: 0.625, per: 1e6, of: 'write request units, on demand', page: 'DynamoDB' },
    tableGbMonth: { dollars: 0.25, per: 1, of: 'GB of tables for a month', page: 'DynamoDB' },
    recoveryGbMonth: {
      dollars: 0.2,
      per: 1,
      of: 'GB of tables with point-in-time recovery for a month',
      page: 'DynamoDB',
    },
    backupGbMonth: {
      dollars: 0.1,
      per: 1,
      of: 'GB of backups of tables for a month',
      page: 'Backup',
    },
    fileGbMonth: { dollars: 0.023, per: 1, of: 'GB of files for a month', page: 'S3' },
    fileBackupGbMonth: {
      dollars: 0.05,
      per: 1,
      of: 'GB of backups of files for a month',
      page: 'Backup',
    },
    queueRequest: { dollars: 0.4, per: 1e6, of: 'requests to a queue', page: 'SQS' },
    logGb: { dollars: 0.5, per: 1, of: 'GB of log lines', page: 'CloudWatch' },
    logGbMonth: { dollars: 0.03, per: 1, of: 'GB of logs kept for a month', page: 'CloudWatch' },
    metricMonth: { dollars: 0.3, per: 1, of: 'metric of ours for a month', page: 'CloudWatch' },
    alarmMonth: { dollars: 0.1, per: 1, of: 'metric in an alarm for a month', page: 'CloudWatch' },
    dashboardMonth: { dollars: 3, per: 1, of: 'dashboard for a month', page: 'CloudWatch' },
    streamGb: {
      dollars: 0.029,
      per: 1,
      of: 'GB that Firehose takes, each record as 5 KB at least',
      page: 'Data Firehose',
    },
    unpackedGb: {
      dollars: 0.00325,
      per: 1,
      of: 'GB of lines of CloudWatch that it unpacks',
      page: 'Data Firehose',
    },
    trace: { dollars: 5, per: 1e6, of: 'traces that are recorded', page: 'X-Ray' },
    keyMonth: { dollars: 1, per: 1, of: 'key for a month', page: 'KMS' },
    keyRequest: { dollars: 0.03, per: 1e4, of: 'requests for a key', page: 'KMS' },
    secretMonth: { dollars: 0.4, per: 1, of: 'secret for a month', page: 'Secrets Manager' },
    secretRead: {
      dollars: 0.05,
      per: 1e4,
      of: 'calls to Secrets Manager',
      page: 'Secrets Manager',
    },
    gbOut: { dollars: 0.09, per: 1, of: 'GB sent to the internet', page: 'EC2, "Data transfer"' },
    natHour: {
      dollars: 0.045,
      per: 1,
      of: 'hour of a NAT gateway',
      page: 'VPC',
    },
    natGb: { dollars: 0.045, per: 1, of: 'GB through it', page: 'VPC' },
    addressHour: { dollars: 0.005, per: 1, of: 'hour of a public IPv4 address', page: 'VPC' },
    mail: { dollars: 0.1, per: 1e3, of: 'mails', page: 'SES' },
    aclMonth: { dollars: 5, per: 1, of: 'web ACL for a month', page: 'WAF' },
    aclRuleMonth: { dollars: 1, per: 1, of: 'rule of it for a month', page: 'WAF' },
    aclRequest: { dollars: 0.6, per: 1e6, of: 'requests that it looks at', page: 'WAF' },
    edgeRequest: { dollars: 1, per: 1e6, of: 'requests over HTTPS', page: 'CloudFront' },
    edgeFunction: {
      dollars: 0.1,
      per: 1e6,
      of: 'invocations of its functions',
      page: 'CloudFront',
    },
  },
} as const;

export type PriceName = keyof (typeof PRICES)['list'];

/** Dollars for one. */
export const priceOf = (name: PriceName): number =>
  PRICES.list[name].dollars / PRICES.list[name].per;
