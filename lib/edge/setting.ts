import * as z from 'zod';

/** Web ACLs and certificates of CloudFront are of this region alone. Source: AWS WAF, "AWS::WAFv2::WebACL". */
export const EDGE_REGION = 'us-east-1';

export interface Edge {
  /** Of one address; more are refused. */
  readonly requestsPerFiveMinutes: number;
  /** Numbers of the secrets that the functions take, of which the distribution shows the first. */
  readonly originSecrets: readonly number[];
}

const RATE = 'write how many requests one address may send in five minutes, 100 or more';

const Differing = z.strictObject({
  // AWS WAF takes 10 and more, and no more than this.
  requests_per_five_minutes: z.int(RATE).min(100, RATE).max(2_000_000_000, RATE).default(30_000),
  origin_secrets: z
    .array(z.int().min(1))
    .min(1)
    .max(2)
    .refine((numbers) => new Set(numbers).size === numbers.length, 'a number is there twice')
    .default([1, 2]),
});

/** Of `config/<stage>.json`: `true`, or an object with what differs from what that means. */
export const EdgeSetting = z
  .union([z.boolean(), Differing], 'write true, false or an object')
  .default(false)
  .transform((setting): Edge | undefined => {
    if (setting === false) return undefined;
    const { requests_per_five_minutes: requestsPerFiveMinutes, origin_secrets: originSecrets } =
      setting === true ? Differing.parse({}) : setting;
    return { requestsPerFiveMinutes, originSecrets };
  });

export const EDGE_KEYS = Object.keys(Differing.shape);
