/** What a user may have booked. A plan's limits are those whose names begin with its own. */
export const PLANS = ['free', 'pro'] as const;
export type Plan = (typeof PLANS)[number];
