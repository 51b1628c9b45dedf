import * as z from 'zod';
import { type Placement, placement } from './placement.ts';

/** The team's subnets, through which calls to others leave. Source: docs/egress.md. */
export interface Egress extends Placement {
  /** Whether functions are in the subnets; if not, they may still remove their network interfaces. */
  readonly enabled: boolean;
}

const EgressFile = z.strictObject({ ...placement, enabled: z.boolean().default(true) });

export const EgressSetting = EgressFile.transform(
  ({ security_groups: securityGroups, ...egress }): Egress => ({ ...egress, securityGroups }),
);
