import type { ActivityPorts } from '../ports.ts';
import { minuteOf } from '../rules/minutes.ts';
import { recountDeployment, recountMarks, type Recounted } from './tally-calls.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { MARK_DAYS } from '../rules/touched.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { PortsOf } from '../../platform/ports.ts';

/** Longer than any stage keeps calls. */
const MOST_DAYS = 3660;

export interface WantedRecount {
  /** Undefined: all deployments, as far back as marks are kept. */
  readonly slug: string | undefined;
  readonly since: EpochSeconds;
  readonly until: EpochSeconds;
  /** Overwrites stored counts, even if fewer calls are left than were counted. */
  readonly isAnew: boolean;
  readonly after: string | undefined;
}

/**
 * Counts stored calls again, as far as one invocation gets.
 * @throws ApiRefusal for an unknown deployment, or a period that ends before it begins
 * Source: docs/operations.md, "A late tally".
 */
export const recount = async (
  ports: PortsOf<typeof recountMarks> & Pick<ActivityPorts, 'deploymentIds'>,
  { slug, since, until, isAnew, after }: WantedRecount,
): Promise<Recounted> => {
  if (until < since) {
    throw new ApiRefusal('invalid_request', 'The time ends before it begins.');
  }
  const last = minuteOf(until);
  if (slug === undefined) {
    // Older marks have expired.
    const first = minuteOf(Math.max(since, ports.clock.now() - MARK_DAYS * DAY));
    return recountMarks(ports, { from: after ?? first, to: last, isAnew });
  }
  const deploymentId = await ports.deploymentIds.find(slug);
  if (deploymentId === undefined) {
    throw new ApiRefusal('not_found', 'There is no server at this address.');
  }
  const first = minuteOf(Math.max(since, ports.clock.now() - MOST_DAYS * DAY));
  return recountDeployment(ports, { deploymentId, from: after ?? first, to: last, isAnew });
};
