import * as z from 'zod';
import {
  MANAGED_ACTIONS,
  MANAGED_GROUP_NAMES,
  type ManagedAction,
  type ManagedGroupName,
} from './managed-rules.ts';

/** The only region for web ACLs and certificates of CloudFront. Source: AWS WAF, "AWS::WAFv2::WebACL". */
export const EDGE_REGION = 'us-east-1';

export interface Edge {
  /** Limit of requests for one address; more are refused. */
  readonly requestsPerFiveMinutes: number;
  /** Numbers of the secrets that functions accept; the distribution sends the first. */
  readonly originSecrets: readonly number[];
  readonly managedRules: Readonly<Partial<Record<ManagedGroupName, ManagedAction>>>;
  readonly firewallLog: boolean;
}

const RATE = 'write how many requests one address may send in five minutes, 100 or more';

const isGroup = (name: string): name is ManagedGroupName =>
  MANAGED_GROUP_NAMES.some((group) => group === name);

const ManagedRules = z
  .record(
    z.string(),
    z.enum(MANAGED_ACTIONS, 'write "count" or "block"'),
    `write an object of groups and actions, such as {"${MANAGED_GROUP_NAMES[0]}": "count"}`,
  )
  .superRefine((rules, context) => {
    for (const name of Object.keys(rules)) {
      if (isGroup(name)) continue;
      const message = `write ${MANAGED_GROUP_NAMES.join(' or ')}: groups that look into requests would refuse arguments of tools and descriptions`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .transform((rules): Edge['managedRules'] => rules);

const Differing = z.strictObject({
  // AWS WAF takes 10 and more, and no more than this.
  requests_per_five_minutes: z.int(RATE).min(100, RATE).max(2_000_000_000, RATE).default(30_000),
  origin_secrets: z
    .array(z.int().min(1))
    .min(1)
    .max(2)
    .refine((numbers) => new Set(numbers).size === numbers.length, 'a number is there twice')
    .default([1, 2]),
  managed_rules: ManagedRules.default({}),
  firewall_log: z.boolean('write true or false').default(false),
});

/** Setting `edge`: `true`, or an object with what differs from the defaults. */
export const EdgeSetting = z
  .union([z.boolean(), Differing], 'write true, false or an object')
  .transform((setting): Edge | undefined => {
    if (setting === false) return undefined;
    const {
      requests_per_five_minutes: requestsPerFiveMinutes,
      origin_secrets: originSecrets,
      managed_rules: managedRules,
      firewall_log: firewallLog,
    } = setting === true ? Differing.parse({}) : setting;
    return { requestsPerFiveMinutes, originSecrets, managedRules, firewallLog };
  });
