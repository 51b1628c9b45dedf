/** AWS partition: account numbers are unique only within one. */
export interface Partition {
  /** Name of the partition in ARNs. */
  readonly id: string;
  /** DNS suffix of its endpoints. */
  readonly suffix: string;
}

/** Partitions other than `aws`, by prefix of their regions. Source: AWS SDK for JavaScript, "partitions.json". */
const PARTITIONS = {
  'cn-': { id: 'aws-cn', suffix: 'amazonaws.com.cn' },
  'us-gov-': { id: 'aws-us-gov', suffix: 'amazonaws.com' },
  'eusc-': { id: 'aws-eusc', suffix: 'amazonaws.eu' },
  'us-iso-': { id: 'aws-iso', suffix: 'c2s.ic.gov' },
  'us-isob-': { id: 'aws-iso-b', suffix: 'sc2s.sgov.gov' },
  'eu-isoe-': { id: 'aws-iso-e', suffix: 'cloud.adc-e.uk' },
  'us-isof-': { id: 'aws-iso-f', suffix: 'csp.hci.ic.gov' },
} as const satisfies Readonly<Record<string, Partition>>;

const COMMERCIAL: Partition = { id: 'aws', suffix: 'amazonaws.com' };

/** Source: IAM User Guide, "Amazon Resource Names". */
export const partitionOf = (region: string): Partition =>
  Object.entries(PARTITIONS).find(([beginning]) => region.startsWith(beginning))?.[1] ?? COMMERCIAL;
