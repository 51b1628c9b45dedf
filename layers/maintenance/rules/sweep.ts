import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { Refresh } from '../../deployments/rules/settings.ts';

export const SweepPosition = z.object({
  /** Another one with every step forward. */
  id: z.string(),
  /** What a round looks through, one after the other. */
  step: z.enum(['deployments', 'files']),
  /** What was looked at last; absent at the beginning of a step. */
  after: z.optional(z.string()),
});
export type SweepPosition = ValueOf<typeof SweepPosition>;
export type SweepStep = SweepPosition['step'];

/** A deployment that somebody may have to look after. */
export interface WatchedDeployment {
  readonly id: string;
  readonly slug: string;
  /** The version of the credential; absent where there is none, or its owner knows already that it is refused. */
  readonly untoldCredential?: string;
  /** How often its description is fetched again. */
  readonly refresh: Refresh;
}
