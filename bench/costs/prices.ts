/**
 * List prices in US dollars, without free tiers and discounts, of the first step of those that fall with
 * quantity. Source: the price pages of the services, and what others have written down from them, since the
 * pages show their numbers only to browsers. Look again before you sign for it.
 */
export const PRICES = {
  region: 'us-east-1',
  asOf: '2026-11-22',
  /** Dollars, for how many, of what, and the page that says so. */
  list: {
    gatewayRequest: [1.0, 1e6, 'requests to an HTTP API', 'API Gateway'],
    invocation: [0.2, 1e6, 'invocations of functions', 'Lambda'],
    gbSecond: [13.3334, 1e6, 'GB-seconds of functions on arm64', 'Lambda'],
    provisionedGbSecond: [3.3334, 1e6, 'GB-seconds of provisioned concurrency on arm64', 'Lambda'],
    provisionedDurationGbSecond: [7.7778, 1e6, 'GB-seconds of functions that run in it', 'Lambda'],
    readUnit: [0.125, 1e6, 'read request units, on demand', 'DynamoDB'],
    writeUnit: [0.625, 1e6, 'write request units, on demand', 'DynamoDB'],
    tableGbMonth: [0.25, 1, 'GB of tables for a month', 'DynamoDB'],
    recoveryGbMonth: [0.2, 1, 'GB of tables with point-in-time recovery for a month', 'DynamoDB'],
    backupGbMonth: [0.1, 1, 'GB of backups of tables for a month', 'Backup'],
    fileGbMonth: [0.023, 1, 'GB of files for a month', 'S3'],
    fileBackupGbMonth: [0.05, 1, 'GB of backups of files for a month', 'Backup'],
    queueRequest: [0.4, 1e6, 'requests to a queue', 'SQS'],
    logGb: [0.5, 1, 'GB of log lines', 'CloudWatch'],
    logGbMonth: [0.03, 1, 'GB of logs kept for a month', 'CloudWatch'],
    metricMonth: [0.3, 1, 'metric of ours for a month', 'CloudWatch'],
    alarmMonth: [0.1, 1, 'metric in an alarm for a month', 'CloudWatch'],
    dashboardMonth: [3, 1, 'dashboard for a month', 'CloudWatch'],
    streamGb: [0.029, 1, 'GB that Firehose takes, each record as 5 KB at least', 'Data Firehose'],
    unpackedGb: [0.00325, 1, 'GB of lines of CloudWatch that it unpacks', 'Data Firehose'],
    trace: [5, 1e6, 'traces that are recorded', 'X-Ray'],
    keyMonth: [1, 1, 'key for a month', 'KMS'],
    keyRequest: [0.03, 1e4, 'requests for a key', 'KMS'],
    secretMonth: [0.4, 1, 'secret for a month', 'Secrets Manager'],
    secretRead: [0.05, 1e4, 'calls to Secrets Manager', 'Secrets Manager'],
    gbOut: [0.09, 1, 'GB sent to the internet', 'EC2, "Data transfer"'],
    natHour: [0.045, 1, 'hour of a NAT gateway', 'VPC'],
    natGb: [0.045, 1, 'GB through it', 'VPC'],
    addressHour: [0.005, 1, 'hour of a public IPv4 address', 'VPC'],
    mail: [0.1, 1e3, 'mails', 'SES'],
    aclMonth: [5, 1, 'web ACL for a month', 'WAF'],
    aclRuleMonth: [1, 1, 'rule of it for a month', 'WAF'],
    aclRequest: [0.6, 1e6, 'requests that it looks at', 'WAF'],
    edgeRequest: [1, 1e6, 'requests over HTTPS', 'CloudFront'],
    edgeFunction: [0.1, 1e6, 'invocations of its functions', 'CloudFront'],
  },
} as const;

export type PriceName = keyof (typeof PRICES)['list'];

/** Dollars for one. */
export const priceOf = (name: PriceName): number => {
  const [dollars, per] = PRICES.list[name];
  return dollars / per;
};
