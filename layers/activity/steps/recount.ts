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
  /** Of all deployments if undefined: as far back as what was touched is marked. */
  readonly slug: string | undefined;
  readonly since: EpochSeconds;
  readonly until: EpochSeconds;
  /** Whatever is stored: also where fewer calls are left than were counted. */
  readonly isAnew: boolean;
  readonly after: string | undefined;
}

/**
 * Counts calls again as they are kept, as much of the time as one invocation can.
 *
 * @throws ApiRefusal where there is no such deployment, or the time ends before it begins
 *
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
    // What was touched before is marked no more.
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
