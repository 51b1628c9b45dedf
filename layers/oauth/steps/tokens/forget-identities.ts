import { accountEvent } from '../../../events/rules/service-event.ts';
import { canonicalEmail } from '../../../accounts/rules/email.ts';
import { signedOutFrom } from '../../../accounts/rules/signed-out.ts';
import { vouchedIdentities } from '../../../accounts/rules/standing.ts';
import type { User, UserIdentity } from '../../../accounts/rules/user.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';

const ATTEMPTS = 4;

/**
 * Unlinks an account from the subjects of one identity provider, or of all. The next subject that a provider asserts
 * with the account's verified e-mail address is linked instead. Existing grants stay until they expire. But where a
 * company was asked about the user, it cannot be asked any more, so the account is signed out everywhere.
 * @returns the issuers of the unlinked subjects
 * @throws ApiRefusal not_found, conflict. Source: docs/access.md, "Enterprise-managed authorization".
 */
export const forgetIdentities = async (
  { clock, events, users }: Pick<AccountsPorts, 'clock' | 'events' | 'users'>,
  email: string,
  issuer?: string,
): Promise<readonly string[]> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let user = await users.findByEmail(canonicalEmail(email));
    if (!user) throw new ApiRefusal('not_found', 'There is no account of this e-mail.');
    const isMeant = (one: UserIdentity) => issuer === undefined || one.issuer === issuer;
    const gone = user.identities?.filter(isMeant) ?? [];
    if (gone.length === 0) return [];
    const subjects = gone.map(({ subject }) => subject);
    // Signed out first: a failure in between must not leave grants that no company is asked about.
    if (vouchedIdentities({ identities: gone }).length > 0) {
      user = { ...user, signedOutAt: signedOutFrom(clock.now()), revision: user.revision + 1 };
      if (!(await users.signOut(user))) continue;
    }
    if (!(await users.unlink(without(user, gone), subjects))) continue;
    events.record(accountEvent('identity_forgotten', user, 'operator'));
    return gone.map((one) => one.issuer);
  }
  throw new ApiRefusal('conflict', 'Others change the account at the same time; try again.');
};

const without = (user: User, gone: readonly UserIdentity[]): User => {
  const { identities = [], ...others } = user;
  const left = identities.filter((one) => !gone.includes(one));
  return {
    ...others,
    ...(left.length > 0 && { identities: left }),
    revision: user.revision + 1,
  };
};
