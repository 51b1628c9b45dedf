import { type CallRecord, firstMoment } from '../../events/rules/call-record.ts';
import { timeOf } from '../../platform/rules/time.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { ActivityPorts } from '../ports.ts';
import { AFTER_ALL } from '../rules/queries.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { OauthPorts } from '../../oauth/ports.ts';
import { every } from '../../platform/rules/paging.ts';

export type OwnCallsPorts = Pick<ActivityPorts, 'calls' | 'clock' | 'deploymentEditor'> & {
  readonly settings: LimitsSettings;
} & {
  readonly grants: Pick<OauthPorts['grants'], 'pageOfUser'>;
};

export interface CalledDeployment {
  readonly slug: string;
  /** The newest first. @param before - `next` of the previous page */
  page(
    before: string | undefined,
  ): Promise<{ readonly calls: readonly CallRecord[]; readonly next: string | undefined }>;
}

const PAGE = 100;
const AT_ONCE = 500;

/**
 * Calls that a user made with tokens of their own: at deployments that a grant of theirs gives access to, whoever
 * owns them, and at their own deployments.
 */
export async function* ownCalls(
  ports: OwnCallsPorts,
  { id }: User,
): AsyncIterable<CalledDeployment> {
  const { calls, clock, deploymentEditor, grants, settings } = ports;
  const now = clock.now();
  const from = timeOf(firstMoment(undefined, now, settings.limits.log_retention_days));
  const wanted = { tool: undefined, subjects: [id], clientId: undefined, outcome: undefined };
  const seen = new Set<string>();
  const called = (deploymentId: string, slug: string): readonly CalledDeployment[] => {
    if (seen.has(deploymentId)) return [];
    seen.add(deploymentId);
    const page: CalledDeployment['page'] = (before = AFTER_ALL) =>
      calls.page({ ...wanted, deploymentId, from, before, limit: AT_ONCE });
    return [{ slug, page }];
  };
  for await (const own of every((after) =>
    deploymentEditor.listByOwner(id, { limit: PAGE, after }),
  )) {
    yield* called(own.id, own.slug);
  }
  for await (const { grant } of every((after) =>
    grants.pageOfUser(id, { limit: PAGE, after }, now),
  )) {
    yield* called(grant.deploymentId, grant.slug);
  }
}
