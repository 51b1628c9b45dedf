import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { Refresh } from '../../deployments/rules/settings.ts';

export const SweepPosition = z.object({
  /** Changed by every step forward. */
  id: z.string(),
  /** The steps of a round, in this order. */
  step: z.enum(['deployments', 'files']),
  /** Cursor; absent at the start of a step. */
  after: z.optional(z.string()),
});
export type SweepPosition = ValueOf<typeof SweepPosition>;
export type SweepStep = SweepPosition['step'];

/** A deployment with a credential or description to check. */
export interface WatchedDeployment {
  readonly id: string;
  readonly slug: string;
  /** Version of the credential; absent without one, or if its owner knows that it is refused. */
  readonly untoldCredential?: string;
  readonly refresh: Refresh;
}
