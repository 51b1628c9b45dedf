import type { AccountsPorts } from '../ports.ts';
import { type PasswordPermit, permitToSet } from '../rules/password-terms.ts';
import type { User } from '../rules/user.ts';

/**
 * That somebody may choose a password for an address.
 *
 * @param email - canonical
 * @param user - whose it is, where whoever asks has proven to read its mailbox
 * @throws ApiRefusal use_company_sign_in
 */
export const permitNewPassword = async (
  { passwordTerms }: Pick<AccountsPorts, 'passwordTerms'>,
  email: string,
  user?: User,
): Promise<PasswordPermit<'set'>> => permitToSet(await passwordTerms(email), user);
