export const MANAGED_ACTIONS = ['count', 'block'] as const;
export type ManagedAction = (typeof MANAGED_ACTIONS)[number];

interface ManagedGroup {
  /** Capacity units; a web ACL has 1,500 at the basic price. */
  readonly capacity: number;
  /** Rules that only count, even where the group blocks. */
  readonly counting: readonly string[];
}

/**
 * Rule groups that look only at the client's address. Others inspect requests and refuse more than 8 KB and whatever
 * resembles SQL, HTML or a command, as tool arguments may. Source: AWS WAF, "AWS Managed Rules rule groups list".
 */
export const MANAGED_GROUPS = {
  AWSManagedRulesAmazonIpReputationList: { capacity: 25, counting: [] },
  AWSManagedRulesAnonymousIpList: {
    capacity: 50,
    // Model providers call from hosting networks, and so does the canary.
    counting: ['HostingProviderIPList'],
  },
} as const satisfies Readonly<Record<string, ManagedGroup>>;

export type ManagedGroupName = keyof typeof MANAGED_GROUPS;
export const MANAGED_GROUP_NAMES = Object.keys(MANAGED_GROUPS) as ManagedGroupName[];
