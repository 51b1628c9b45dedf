import { EDGE_REGION } from '../edge/setting.ts';
import { destinationOf } from './stream.ts';

/** Undefined is what nobody has said or found. */
export interface Place {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

/** A shell that may deploy a stage. */
export interface Shell extends Place {
  /** Nobody has said the region: it is where the CLI of the CDK goes on then. */
  readonly isRegionAssumed?: boolean;
}

/** Where the CLI of the CDK looks before it asks the configuration of the profile, in this order. */
const REGION_VARIABLES = [
  'AWS_REGION',
  'AMAZON_REGION',
  'AWS_DEFAULT_REGION',
  'AMAZON_DEFAULT_REGION',
] as const;

const ASSUMED_REGION = 'us-east-1';

/**
 * The shell that the CLI of the CDK runs an app in. A profile may say the region that the CLI assumes, too: that one is
 * taken for assumed.
 *
 * Source: AWS CDK, `AwsCliCompatible.region`: "falls back to us-east-1 if no region can be found".
 */
export const shellOf = (environment: Readonly<Record<string, string | undefined>>): Shell => {
  const region = environment['CDK_DEFAULT_REGION'];
  return {
    account: environment['CDK_DEFAULT_ACCOUNT'],
    region,
    isRegionAssumed: region === ASSUMED_REGION && !REGION_VARIABLES.some((one) => environment[one]),
  };
};

/** What of a stage is of one place. */
interface Placed extends Place {
  readonly domain?: { readonly certificateArn: string } | undefined;
  readonly edge?: object | undefined;
  readonly alarmTopicArn?: string | undefined;
  readonly noticeTopicArn?: string | undefined;
  readonly stream?: { readonly to: string } | undefined;
}

/**
 * What does not fit the account and the region that a stage is deployed into: the shell that would deploy
 * it, or something that it names. AWS would refuse it in the middle of a deployment, or never say a word.
 *
 * @param shell - as the CLI of the CDK has found it; what it does not know is believed
 * @returns a sentence for each
 *
 * Source: Amazon API Gateway, "Set up a custom domain name for HTTP APIs"; Amazon CloudFront,
 * "Requirements for using SSL/TLS certificates with CloudFront"; Amazon CloudWatch API, "PutMetricAlarm".
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
    // A stack goes to the region that the file says, whatever is assumed.
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

/** Of the regions that there are: AWS's own in China and for governments are apart from all others. */
const partitionOf = (region: string | undefined): string | undefined => {
  if (region === undefined || /^(?:us-iso|eu-iso|eusc)/.test(region)) return undefined;
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
};

/** Source: CloudWatch Logs, "Cross-account cross-Region subscriptions". */
const streamFaults = (to: string | undefined, service: Place): readonly string[] => {
  if (to === undefined || to === 'own') return [];
  // What leads into another account is of this region all the same.
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
