import { EDGE_REGION } from '../edge/setting.ts';
import { destinationOf } from './stream.ts';

export interface Place {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

export interface Shell extends Place {
  /** The region is the default of the CDK's CLI: nobody has named one. */
  readonly isRegionAssumed?: boolean;
}

/** Variables in which the CDK's CLI looks for a region before the profile, in this order. */
const REGION_VARIABLES = [
  'AWS_REGION',
  'AMAZON_REGION',
  'AWS_DEFAULT_REGION',
  'AMAZON_DEFAULT_REGION',
] as const;

const ASSUMED_REGION = 'us-east-1';

/**
 * A region equal to the CLI's default counts as assumed, even if the profile names it. Source: AWS CDK,
 * `AwsCliCompatible.region`: "falls back to us-east-1 if no region can be found".
 */
export const shellOf = (environment: Readonly<Record<string, string | undefined>>): Shell => {
  const region = environment['CDK_DEFAULT_REGION'];
  return {
    account: environment['CDK_DEFAULT_ACCOUNT'],
    region,
    isRegionAssumed: region === ASSUMED_REGION && !REGION_VARIABLES.some((one) => environment[one]),
  };
};

/** Settings of a stage that belong to a region and account. */
interface Placed extends Place {
  readonly domain?: { readonly certificateArn: string } | undefined;
  readonly edge?: object | undefined;
  readonly alarmTopicArn?: string | undefined;
  readonly noticeTopicArn?: string | undefined;
  readonly stream?: { readonly to: string } | undefined;
}

/**
 * Checks that shell and ARNs fit the stage's account and region: AWS would refuse a mistake midway, or never report
 * it. Source: Amazon API Gateway, "Set up a custom domain name for HTTP APIs"; Amazon CloudFront, "Requirements for
 * using SSL/TLS certificates with CloudFront"; Amazon CloudWatch API, "PutMetricAlarm".
 * @param shell - as the CDK's CLI has found it; unknown values pass
 */
export const placeFaults = (
  { account, region, domain, edge, alarmTopicArn, noticeTopicArn, stream }: Placed,
  shell: Shell,
): readonly string[] => {
  const service = { account: account ?? shell.account, region: region ?? shell.region };
  return [
    ...(differ(account, shell.account)
      ? [
          `\`account\`: the stage is in ${account}, and you are signed in to ${shell.account}; sign in to ${account}`,
        ]
      : []),
    // An assumed region does not matter: a stack goes to the region in the file.
    ...(!shell.isRegionAssumed && differ(region, shell.region)
      ? [
          `\`region\`: the stage is in ${region}, and your shell in ${shell.region}; \`export AWS_REGION=${region}\`, so that every command goes there`,
        ]
      : []),
    ...arnFaults(
      'domain.certificate_arn',
      domain?.certificateArn,
      edge ? { ...service, region: EDGE_REGION } : service,
    ),
    ...arnFaults('alarm_topic_arn', alarmTopicArn, service),
    ...arnFaults('notice_topic_arn', noticeTopicArn, service),
    ...streamFaults(stream?.to, service),
  ];
};

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** AWS partition of a region; undefined for isolated and sovereign ones. */
const partitionOf = (region: string | undefined): string | undefined => {
  if (region === undefined || /^(?:us-iso|eu-iso|eusc)/.test(region)) return undefined;
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
};

/** Source: CloudWatch Logs, "Cross-account cross-Region subscriptions". */
const streamFaults = (to: string | undefined, service: Place): readonly string[] => {
  if (to === undefined || to === 'own') return [];
  // A destination in another account must be in this region all the same.
  if (destinationOf(to) === 'logs') return arnFaults('stream.to', to, { region: service.region });
  return arnFaults('stream.to', to, service).map((fault) =>
    fault.includes('of the account')
      ? `${fault}, or a destination of CloudWatch Logs in the other account`
      : fault,
  );
};

const arnFaults = (key: string, arn: string | undefined, wanted: Place): readonly string[] => {
  const [, partition, , region, account] = arn?.split(':') ?? [];
  const wantedPartition = partitionOf(wanted.region);
  return [
    ...(differ(partition, wantedPartition)
      ? [`\`${key}\`: it is of the partition ${partition}; name one of ${wantedPartition}`]
      : []),
    ...(differ(region, wanted.region)
      ? [`\`${key}\`: it is of the region ${region}; name one of ${wanted.region}`]
      : []),
    ...(differ(account, wanted.account)
      ? [`\`${key}\`: it is of the account ${account}; name one of ${wanted.account}`]
      : []),
  ];
};
