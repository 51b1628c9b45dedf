import type { OauthPorts } from '../../ports.ts';
import type { SentParameters } from '../../../platform/rules/sent-parameters.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { AccessToken, Grant, Scope } from '../../../tokens/rules/oauth-records.ts';
import { accessTokenSeconds } from '../../rules/tokens/token-life.ts';
import { accessTokenOf } from '../../rules/tokens/tokens.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { PlatformPorts } from '../../../platform/ports.ts';
import { mayUse } from '../../../deployments/rules/access/access-policy.ts';
import { endOfGrant } from '../../../tokens/rules/not-before.ts';
import { isSignedOut } from '../../../accounts/rules/signed-out.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import { findGood } from '../../../deployments/steps/current-deployment.ts';

/** The user and the deployment of a grant, as they are now. */
export interface Standing {
  readonly user: User;
  readonly deployment: Deployment;
  /** When the user's company must be asked again; absent where no company is asked. */
  readonly until?: EpochSeconds | undefined;
}

export interface TokenRequest {
  readonly sent: SentParameters;
  readonly authorization: string | undefined;
  readonly sourceIp: string;
}

export interface Issued {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
  readonly refreshToken: string | undefined;
  readonly offlineAccess: boolean;
  readonly idToken?: string;
  /** For the log. */
  readonly slug: string;
}

/** The token carries the current e-mail address and plan of the user. */
export const newAccessToken = (
  {
    clock,
    random,
    settings,
  }: Pick<PlatformPorts, 'clock' | 'random'> & { readonly settings: LimitsSettings },
  grant: Grant,
  { user: { email, plan }, deployment, until = Infinity }: Standing,
  scopes: readonly Scope[],
) => {
  const text = accessTokenOf(random.id());
  const now = clock.now();
  const expiresAt = Math.min(now + accessTokenSeconds(deployment, settings.limits), until);
  const expiresInSeconds = expiresAt - now;
  const { id: grantId, userId, clientId, deploymentId, createdAt: grantedAt } = grant;
  return {
    text,
    expiresInSeconds,
    ref: { fingerprint: fingerprint(text), expiresAt },
    record: {
      grantId,
      userId,
      email,
      plan,
      clientId,
      deploymentId,
      scopes,
      grantedAt,
      expiresAt,
      revoked: false,
    } satisfies AccessToken,
  };
};

/**
 * Checks that a grant still holds: the user is not signed out since, may still use the deployment, no operator has
 * ended the grant, and the user's company still vouches for the user.
 * @throws OAuthRefusal invalid_grant, temporarily_unavailable
 * Source: docs/decisions/accounts.md, "Who may use a deployment", "New passwords".
 */
export const checkStanding = async (
  ports: Pick<OauthPorts, 'deployments' | 'notBefore' | 'standings' | 'users'>,
  { userId, clientId, createdAt, deploymentId, slug }: Grant,
): Promise<Standing> => {
  const { deployments, notBefore, users } = ports;
  // The deployment is read here only to warm the cache in the same round trip; `findGood` needs the user.
  const [user, ends] = await Promise.all([
    users.find(userId),
    notBefore.find(),
    deployments.find(slug),
  ]);
  if (!user) throw ended('user removed');
  if (isSignedOut(user, createdAt)) throw ended('user signed out since');
  const end = endOfGrant(ends, { grantedAt: createdAt, clientId, userId });
  if (end !== undefined) throw ended(end);
  const opens = (one: Deployment) => mayUse(one, { userId, email: user.email });
  const deployment = await findGood(ports, slug, (one) => one.id === deploymentId && opens(one));
  if (deployment?.id !== deploymentId) throw ended('deployment removed');
  if (!opens(deployment)) throw ended('not in the access policy');
  // Last, since it may need a request to the company.
  const standing = await checkCompany(ports, user, 'grant');
  return { user: standing.user, deployment, until: standing.until };
};

/** @throws OAuthRefusal invalid_grant, temporarily_unavailable */
export const checkCompany = async (
  { standings }: Pick<OauthPorts, 'standings'>,
  user: User,
  door: 'assertion' | 'grant',
) => {
  const standing = await standings.of(user, door);
  switch (standing.as) {
    case 'good':
      return standing;
    case 'ended':
      throw ended(standing.why);
    case 'sign_in_again':
      throw ended('signed in with their company too long ago');
    case 'unavailable': {
      const said = 'The sign-in of the company of the user does not answer. Try again later.';
      const why = `${standing.company} does not answer`;
      const { retryAfterSeconds } = standing;
      throw new OAuthRefusal('temporarily_unavailable', said, why, { retryAfterSeconds });
    }
  }
};

const ended = (why: string) =>
  new OAuthRefusal('invalid_grant', 'Access has ended. The user must sign in again.', why);
