import type { AccountsPorts } from '../ports.ts';
import { type PasswordPermit, permitToSet } from '../rules/password-terms.ts';
import type { User } from '../rules/user.ts';

/**
 * Permits choosing a password for an address.
 * @param email - canonical
 * @param user - account of the address, once the mailbox is proven
 * @throws ApiRefusal use_company_sign_in
 */
export const permitNewPassword = async (
  { passwordTerms }: Pick<AccountsPorts, 'passwordTerms'>,
  email: string,
  user?: User,
): Promise<PasswordPermit<'set'>> => permitToSet(await passwordTerms(email), user);
