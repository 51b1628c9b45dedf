/** What a user may have booked. A plan's limits are those whose names begin with its own. */
export const PLANS = ['free', 'pro'] as const;
export type Plan = (typeof PLANS)[number];

/** @param text - a plan; `free` if empty @throws Error that says what is wrong, in words for the operator */
export const readPlan = (text = ''): Plan => {
  const plan = PLANS.find((one) => one === (text || 'free'));
  if (plan) return plan;
  throw new Error(`write ${PLANS.join(' or ')}`);
};
