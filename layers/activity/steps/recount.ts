import type { ActivityPorts } from '../ports.ts';
import { hourOf, minuteOf } from '../rules/minutes.ts';
import { recountDeployment, recountMarks, type Recounted, type TallyPorts } from './tally-calls.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

export type RecountPorts = TallyPorts & Pick<ActivityPorts, 'deploymentIds'>;

export interface WantedRecount {
  /** Of all deployments if undefined: as far back as what was touched is marked. */
  readonly slug: string | undefined;
  readonly since: EpochSeconds;
  readonly until: EpochSeconds;
  /** Whatever is stored: also where fewer calls are left than were counted. */
  readonly isAnew: boolean;
  /** The `next` of the answer before. */
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
  ports: RecountPorts,
  { slug, since, until, isAnew, after }: WantedRecount,
): Promise<Recounted> => {
  if (until < since) {
    throw new ApiRefusal('invalid_request', 'The time ends before it begins.');
  }
  const [first, last] = [minuteOf(since), minuteOf(until)];
  if (slug === undefined) {
    return recountMarks(ports, { from: after ?? first, to: last, isAnew });
  }
  const deploymentId = await ports.deploymentIds.find(slug);
  if (deploymentId === undefined) {
    throw new ApiRefusal('not_found', 'There is no server at this address.');
  }
  const [from, to] = [after ?? hourOf(first), hourOf(last)];
  return recountDeployment(ports, { deploymentId, from, to, isAnew });
};
