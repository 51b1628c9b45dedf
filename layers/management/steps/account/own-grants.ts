import { endOfGrant } from '../../../tokens/rules/not-before.ts';
import { isSignedOut } from '../../../accounts/rules/signed-out.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ActiveGrant } from '../../../oauth/rules/grants.ts';
import type { Page, PageQuery } from '../../../platform/rules/paging.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import { isRecording, recordsCallsOf } from '../../../deployments/rules/recording.ts';
import type { OauthPorts } from '../../../oauth/ports.ts';

type OwnGrantPorts = Pick<
  OauthPorts,
  'clock' | 'deploymentEditor' | 'events' | 'grants' | 'notBefore'
>;

/** A grant, and until when its calls are recorded with arguments and answers, if they are. */
export interface OwnGrant extends ActiveGrant {
  readonly recordedUntil: EpochSeconds | undefined;
}

/** Clients that a user has authorized, newest first. Ended grants are left out, so a page may be shorter. */
export const listOwnGrants = async (
  { clock, deploymentEditor, grants, notBefore }: OwnGrantPorts,
  user: User,
  query: PageQuery,
): Promise<Page<OwnGrant>> => {
  const now = clock.now();
  const [ended, page] = await Promise.all([
    notBefore.find(),
    grants.pageOfUser(user.id, query, now),
  ]);
  const items = page.items.filter(
    ({ grant }) =>
      !isSignedOut(user, grant.createdAt) &&
      endOfGrant(ended, { ...grant, grantedAt: grant.createdAt }) === undefined,
  );
  const slugs = [...new Set(items.map(({ grant }) => grant.slug))];
  const found = await Promise.all(slugs.map((slug) => deploymentEditor.read(slug)));
  const recorded = new Map(
    found.flatMap((one) => {
      const recording = one?.recording;
      const isTheirs =
        isRecording(recording, now) && recordsCallsOf(recording, user.id, user.email);
      return one && isTheirs ? [[one.id, recording.until] as const] : [];
    }),
  );
  return {
    ...page,
    items: items.map((one) => ({ ...one, recordedUntil: recorded.get(one.grant.deploymentId) })),
  };
};

/** Ends a grant and all its tokens. Repeatable. @throws ApiRefusal not_found, also for a grant of another user */
export const endOwnGrant = async (
  { clock, events, grants }: OwnGrantPorts,
  user: User,
  grantId: string,
): Promise<void> => {
  const grant = await grants.recordOf(grantId);
  if (grant?.userId !== user.id) {
    throw new ApiRefusal('not_found', 'You have given no grant of this id.');
  }
  await grants.end(grantId, clock.now());
  const { deploymentId, slug } = grant;
  const event = 'grant_revoked';
  events.record({ type: 'security', event, deploymentId, slug, subject: user.id, why: grantId });
};
