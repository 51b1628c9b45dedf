/** Plans of users. A plan's limits begin with its name. */
export const PLANS = ['free', 'pro'] as const;
export type Plan = (typeof PLANS)[number];

/** @param text - a plan; `free` if empty @throws Error in words for the operator */
export const readPlan = (text = ''): Plan => {
  const plan = PLANS.find((one) => one === (text || 'free'));
  if (plan) return plan;
  throw new Error(`write ${PLANS.join(' or ')}`);
};
