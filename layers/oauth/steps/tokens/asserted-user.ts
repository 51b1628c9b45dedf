import { InvalidToken } from '../../../tokens/rules/authorization.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { IdentityAssertion } from '../../rules/tokens/identity-assertion.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';

/** Of several requests at once that meet an account for the first time, all but one try again. */
const ATTEMPTS = 4;

/**
 * The account of whom a provider speaks of: the one that its subject was seen with before, whatever address it has
 * now. For a new subject it is the one of a verified address, once and for all: a company gives addresses of those
 * who leave to others, who are not to find their accounts.
 *
 * @throws InvalidToken if there is no such account
 *
 * Source: draft-ietf-oauth-identity-assertion-authz-grant §6; docs/access.md, "Enterprise-managed authorization".
 */
export const assertedUser = async (
  { users }: Pick<AccountsPorts, 'users'>,
  {
    subject,
    email,
    provider: { issuer },
  }: Pick<IdentityAssertion, 'subject' | 'email' | 'provider'>,
): Promise<User> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const known = await users.findByIdentity(subject);
    if (known) return known;
    if (email === undefined) throw new InvalidToken('unknown subject without a verified e-mail');
    const user = await users.findByEmail(email);
    if (!user) throw new InvalidToken('no account');
    const { identities = [] } = user;
    const before = identities.find((one) => one.issuer === issuer);
    // Another request has seen the same subject for the first time in between.
    if (before?.subject === subject) return user;
    if (before) throw new InvalidToken('the account is of another subject');
    const linked = {
      ...user,
      identities: [...identities, { issuer, subject }],
      revision: user.revision + 1,
    };
    if (await users.link(linked, subject)) return linked;
  }
  throw new InvalidToken('the account is being changed');
};
