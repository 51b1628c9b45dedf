import { endOfGrant } from '../../../tokens/rules/not-before.ts';
import { isSignedOut } from '../../../accounts/rules/signed-out.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ActiveGrant } from '../../../oauth/rules/grants.ts';
import type { Page, PageQuery } from '../../../platform/rules/paging.ts';
import type { Ports } from '../../../ports.ts';

export type OwnGrantPorts = Pick<Ports, 'clock' | 'events' | 'grants' | 'notBefore'>;

/**
 * Which clients a user lets act, at whosever deployments, the newest first. A page may have fewer than
 * the limit where something has ended them.
 */
export const listOwnGrants = async (
  { clock, grants, notBefore }: OwnGrantPorts,
  user: User,
  query: PageQuery,
): Promise<Page<ActiveGrant>> => {
  const [ended, page] = await Promise.all([
    notBefore.find(),
    grants.pageOfUser(user.id, query, clock.now()),
  ]);
  const items = page.items.filter(
    ({ grant }) =>
      !isSignedOut(user, grant.createdAt) &&
      endOfGrant(ended, { ...grant, grantedAt: grant.createdAt }) === undefined,
  );
  return { ...page, items };
};

/**
 * Ends what a user has granted, and all its tokens, at once. Also what has ended, so that what broke off is
 * finished.
 *
 * @throws ApiRefusal not_found, also for a grant of another user
 */
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
