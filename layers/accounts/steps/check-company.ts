import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../ports.ts';
import type { Door, Standing } from '../rules/standing.ts';
import type { User } from '../rules/user.ts';

export const notStoodBy = (why: string, description: string): ApiRefusal =>
  new ApiRefusal('invalid_session', description, [], why);

type Good = Extract<Standing, { readonly as: 'good' }>;

/**
 * Checks that the company of an account, if it has one, still vouches for it.
 * @param refuse - makes the error from the internal reason and the public description
 * @throws ApiRefusal temporarily_unavailable where the provider does not answer; what `refuse` makes
 * Source: docs/access.md, "When somebody leaves".
 */
export const checkCompany = async (
  { standings }: Pick<AccountsPorts, 'standings'>,
  user: User,
  door: Door,
  refuse: (why: string, description: string) => Error,
): Promise<Good> => {
  const standing = await standings.of(user, door);
  switch (standing.as) {
    case 'good':
      return standing;
    case 'ended':
      throw refuse(standing.why, 'The company of this account does not vouch for it any more.');
    case 'sign_in_again': {
      const description = `Sign in with ${standing.company} again: the last time was too long ago.`;
      throw refuse('signed in with their company too long ago', description);
    }
    case 'unavailable': {
      const { company, retryAfterSeconds } = standing;
      throw new ApiRefusal(
        'temporarily_unavailable',
        `The sign-in of ${company} does not answer, and has to say that you are still one of its people. Try again later.`,
        [],
        'their company does not answer',
        { retryAfterSeconds },
      );
    }
  }
};
