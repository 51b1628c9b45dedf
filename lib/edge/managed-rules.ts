/** What is done with a request that a group's rules find. */
export const MANAGED_ACTIONS = ['count', 'block'] as const;
export type ManagedAction = (typeof MANAGED_ACTIONS)[number];

interface ManagedGroup {
  /** What it takes of the 1,500 units that a web ACL has without another price. */
  readonly capacity: number;
  /** Its rules that count even where the group blocks. */
  readonly counting: readonly string[];
}

/**
 * AWS's groups of rules that a stage may choose: those that look at the address of a client and at nothing else. Others
 * look into bodies, queries and headers, where they refuse more than 8 KB and whatever resembles SQL, HTML or a command:
 * arguments of tools and descriptions of APIs may. Source: AWS WAF, "AWS Managed Rules rule groups list".
 */
export const MANAGED_GROUPS = {
  AWSManagedRulesAmazonIpReputationList: { capacity: 25, counting: [] },
  AWSManagedRulesAnonymousIpList: {
    capacity: 50,
    // Hosts of models call from clouds, and so does the canary.
    counting: ['HostingProviderIPList'],
  },
} as const satisfies Readonly<Record<string, ManagedGroup>>;

export type ManagedGroupName = keyof typeof MANAGED_GROUPS;
export const MANAGED_GROUP_NAMES = Object.keys(MANAGED_GROUPS) as ManagedGroupName[];
