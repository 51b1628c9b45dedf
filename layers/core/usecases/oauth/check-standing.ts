import { mayUse } from '../../domain/access/access-policy.ts';
import { isSignedOut } from '../../domain/accounts/signed-out.ts';
import type { User } from '../../domain/accounts/user.ts';
import type { Grant } from '../../domain/oauth/index.ts';
import { OAuthRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';

/**
 * Checks that what a user once granted still stands: the user has not been signed out since, and may
 * still use the deployment.
 *
 * @returns the user as of now
 * @throws OAuthRefusal invalid_grant
 *
 * Source: D13; management-api.md, password reset.
 */
export const checkStanding = async (
  { deployments, users }: Pick<Ports, 'deployments' | 'users'>,
  { userId, createdAt, deploymentId, slug }: Grant,
): Promise<User> => {
  const [user, deployment] = await Promise.all([users.find(userId), deployments.find(slug)]);
  if (!user) throw ended('user removed');
  if (isSignedOut(user, createdAt)) throw ended('user signed out since');
  if (deployment?.id !== deploymentId) throw ended('deployment removed');
  if (!mayUse(deployment, { userId, email: user.email })) throw ended('not in the access policy');
  return user;
};

const ended = (why: string) =>
  new OAuthRefusal('invalid_grant', 'Access has ended. The user must log in again.', why);
