import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';

/** Source: docs/limits.md, "Limits". */
export const tooManyActive = (limit: number) =>
  new ApiRefusal(
    'limit_reached',
    `You have ${limit} active deployments, as many as your plan allows. Pause or remove one first.`,
    [],
    'active deployments',
    { limit: 'active_deployments_per_user' },
  );
