import { asciiLowerCase } from '../../platform/rules/text.ts';

const MAX_LENGTH = 254;
/** Address syntax that mail servers accept without extensions and that `<input type="email">` allows. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Changes ASCII letters only: some others share a lower case, so that two mailboxes could become one account. */
export const canonicalEmail = (text: string): string => asciiLowerCase(text.trim());

const BEGINNING = /^[a-z0-9.!#$%&'*+/=?^_`{|}~@-]*$/;

/** Whether an account's address may start with this text, which may be empty. @param text - canonical */
export const isEmailBeginning = (text: string): boolean =>
  text.length <= MAX_LENGTH && BEGINNING.test(text);

/** @param email - canonical */
export const isEmail = (email: string): boolean =>
  email.length <= MAX_LENGTH && ADDRESS.test(email);

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);
